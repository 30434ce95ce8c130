import type { LeaseHold, Outbox } from '@countersign/domain';
import type { Tables } from './tables.ts';

type Entry = Tables['events'][number];

export function createOutbox({ events }: Tables): Outbox {
  /** Returns the entry if the hold is still valid. */
  const held = ({ clientId, eventId, leaseToken }: LeaseHold): Entry | undefined =>
    events.find(({ event, delivery }) => {
      const same = event.clientId === clientId && event.id === eventId;
      return same && delivery.leaseToken === leaseToken && delivery.deliveredAt === null;
    });

  return {
    async lease({ leaseToken, now, until, limit }) {
      const due = events
        .filter(({ delivery }) => delivery.deliveredAt === null && delivery.availableAt <= now.getTime())
        .sort(oldestFirst)
        .slice(0, limit);
      for (const { delivery } of due) {
        delivery.leaseToken = leaseToken;
        delivery.availableAt = until.getTime();
        delivery.attempts += 1;
      }
      return due.map(({ event, delivery }) => ({ event: structuredClone(event), attempt: delivery.attempts }));
    },

    async ack(hold, at) {
      const entry = held(hold);
      if (entry === undefined) return { outcome: 'lease_lost' };
      entry.delivery.deliveredAt = new Date(at);
      return { outcome: 'done' };
    },

    async fail(hold, retryAt) {
      const entry = held(hold);
      if (entry === undefined) return { outcome: 'lease_lost' };
      entry.delivery.leaseToken = null;
      entry.delivery.availableAt = retryAt.getTime();
      return { outcome: 'done' };
    },
  };
}

function oldestFirst(a: Entry, b: Entry): number {
  return a.event.at.getTime() - b.event.at.getTime() || (a.event.id < b.event.id ? -1 : 1);
}
