import type { VerificationEvent } from '@countersign/domain';
import { compareText, type WebhookRepository } from '@countersign/domain/storage';
import { webhookTypeOf } from '@countersign/domain/webhooks';
import { keyOf, type StoredDelivery, type StoredEvent, type Tables } from '../tables.ts';
import { endpointsOf } from './endpoints.ts';

export function createFanOut(tables: Tables): WebhookRepository['fanOut'] {
  return async ({ now, limit }) => {
    const unsent = unsentEvents(tables);
    const taken = new Set(unsent.slice(0, limit));
    const last = new Map([...taken].map(({ event }) => [event.verificationId, event.version]));
    for (const stored of unsent) {
      const { verificationId, version } = stored.event;
      if (version < (last.get(verificationId) ?? 0)) taken.add(stored);
    }
    // A delivery is due no earlier than one before it, so that one is made first.
    for (const stored of [...taken].sort((a, b) => a.event.version - b.event.version)) {
      stored.unsent = false;
      deliver(tables, stored.event, now);
    }
    return taken.size;
  };
}

/** The events that are fanned out next, in this order. */
export function unsentEvents(tables: Pick<Tables, 'events' | 'endpoints'>): StoredEvent[] {
  const wanted = tables.events.filter(({ event, unsent }) => {
    const receiving = endpointsOf(tables, event.clientId).filter(({ endpoint }) => endpoint.state !== 'disabled');
    return unsent && receiving.some(({ endpoint }) => endpoint.since <= event.at);
  });
  return wanted.sort(
    ({ event: a }, { event: b }) =>
      a.at.getTime() - b.at.getTime() || a.version - b.version || compareText(a.id, b.id),
  );
}

function deliver(tables: Tables, event: VerificationEvent, now: Date): void {
  const type = webhookTypeOf(event.type);
  if (type === null) return;
  const { id: eventId, verificationId, version, at } = event;
  for (const { endpoint } of endpointsOf(tables, event.clientId)) {
    if (endpoint.state === 'disabled' || endpoint.since > at || !endpoint.types.includes(type)) continue;
    const dueAt = dueAfterEarlier(tables, { endpointId: endpoint.id, verificationId, version }, now);
    const entry = { endpointId: endpoint.id, eventId, verificationId, version, type, at } as const;
    tables.deliveries.set(keyOf(endpoint.id, eventId), {
      clientId: event.clientId,
      entry: { ...entry, state: 'waiting', attempts: 0, dueAt },
      attempts: [],
    });
  }
}

/** The place of a delivery in the order of its endpoint's webhooks about one verification. */
type Place = Pick<StoredDelivery['entry'], 'endpointId' | 'verificationId' | 'version'>;

/** Returns `now`, or when the last delivery of the earlier versions that wait is due. */
export function dueAfterEarlier({ deliveries }: Pick<Tables, 'deliveries'>, place: Place, now: Date): Date {
  const earlier = [...deliveries.values()].flatMap(({ entry }) =>
    isSamePair(entry, place) && entry.version < place.version && entry.dueAt !== null ? entry.dueAt.getTime() : [],
  );
  return new Date(Math.max(now.getTime(), ...earlier));
}

/** Whether both are about the same verification and endpoint. */
export function isSamePair(a: Omit<Place, 'version'>, b: Omit<Place, 'version'>): boolean {
  return a.endpointId === b.endpointId && a.verificationId === b.verificationId;
}
