import type { LeasedEvent, VerificationEvent } from '@countersign/domain';
import { outboxAtOnceSuite } from '../suites/outbox-at-once.ts';
import { creating, leasing } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const outboxAtOnceMutants: readonly Mutant[] = mutantsOf(outboxAtOnceSuite, {
  'looks for due events first and takes them later': (storage) => {
    let seen: Promise<readonly LeasedEvent[]> | null = null;
    return leasing(storage, async (next, request) => {
      seen ??= next(request);
      const leased = await seen;
      await roundTrip();
      seen = null;
      return leased;
    });
  },
  'skips events that others look at': (storage) => {
    let count = 0;
    return leasing(storage, async (next, request) => {
      count += 1;
      const [first, ...others] = await next(request);
      return count % 2 === 0 && first !== undefined
        ? others
        : [first, ...others].filter((each) => each !== undefined);
    });
  },
  'lets the last token hold everything': (storage) => {
    let last = '';
    return patched(storage, {
      outbox: {
        lease: (request) => {
          last = request.leaseToken;
          return storage.outbox.lease(request);
        },
        ack: async (hold, at) =>
          hold.leaseToken === last ? storage.outbox.ack(hold, at) : { outcome: 'lease_lost' },
      },
    });
  },
  'leases the same events to all who ask at once': (storage) => {
    const peeked: VerificationEvent[] = [];
    return leasing(storage, async (next, request) => {
      const leased = await next(request);
      peeked.push(...leased.map(({ event }) => event));
      await roundTrip();
      return [...leased, ...peeked.slice(0, 1).map((event) => ({ event, attempt: 1 }))];
    });
  },
  'loses what it leases while it writes': (storage) => {
    let writing = 0;
    const counted = creating(storage, async (next, request) => {
      writing += 1;
      await roundTrip();
      writing -= 1;
      return next(request);
    });
    return patched(counted, {
      outbox: {
        ack: async (hold, at) => {
          await storage.outbox.ack(hold, at);
          return writing === 0 ? { outcome: 'done' } : { outcome: 'lease_lost' };
        },
      },
    });
  },
});
