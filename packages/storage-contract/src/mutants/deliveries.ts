import type { LeaseHold, Outbox, Storage } from '@countersign/domain';
import { deliveriesSuite } from '../suites/deliveries.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

const keyOf = ({ clientId, eventId }: Pick<LeaseHold, 'clientId' | 'eventId'>): string => `${clientId} ${eventId}`;

export const deliveriesMutants: readonly Mutant[] = mutantsOf(deliveriesSuite, {
  'forgets that an event was delivered': (storage) =>
    answering(storage, 'ack', (next, hold, at) => next.fail(hold, at)),
  'delivers everything of a lease': (storage) => {
    const leases = new Map<string, LeaseHold[]>();
    return patched(storage, {
      outbox: {
        lease: async (request) => {
          const leased = await storage.outbox.lease(request);
          const { leaseToken } = request;
          leases.set(
            leaseToken,
            leased.map(({ event }) => ({ clientId: event.clientId, eventId: event.id, leaseToken })),
          );
          return leased;
        },
        ack: async (hold, at) => {
          const answer = await storage.outbox.ack(hold, at);
          for (const other of leases.get(hold.leaseToken) ?? []) await storage.outbox.ack(other, at);
          return answer;
        },
      },
    });
  },
  'gives back at once': (storage) => answering(storage, 'fail', (next, hold) => next.fail(hold, new Date(0))),
  'gives back at the end of the lease': (storage) => answering(storage, 'fail', async () => ({ outcome: 'done' })),
  'gives back a moment too early': (storage) =>
    answering(storage, 'fail', (next, hold, at) => next.fail(hold, new Date(at.getTime() - 1))),
  'gives back for good': (storage) => answering(storage, 'fail', (next, hold, at) => next.ack(hold, at)),
  'lets whoever gave back hold on': (storage) => {
    const givenBack = new Set<string>();
    return patched(storage, {
      outbox: {
        fail: async (hold, at) => {
          const answer = await storage.outbox.fail(hold, at);
          if (answer.outcome === 'done') givenBack.add(`${keyOf(hold)} ${hold.leaseToken}`);
          return answer;
        },
        ack: async (hold, at) => {
          const isHeld = givenBack.has(`${keyOf(hold)} ${hold.leaseToken}`);
          return isHeld ? { outcome: 'done' } : storage.outbox.ack(hold, at);
        },
      },
    });
  },
  'takes no late answer': (storage) => {
    const ends = new Map<string, Date>();
    return patched(storage, {
      outbox: {
        lease: (request) => {
          ends.set(request.leaseToken, request.until);
          return storage.outbox.lease(request);
        },
        ack: async (hold, at) =>
          at >= (ends.get(hold.leaseToken) ?? at) ? { outcome: 'lease_lost' } : storage.outbox.ack(hold, at),
      },
    });
  },
  'does not look at the token of a delivery': (storage) =>
    withLastToken(storage, (last) => ({
      ack: (hold, at) => storage.outbox.ack({ ...hold, leaseToken: last(hold) }, at),
    })),
  'does not look at the token of what is given back': (storage) =>
    withLastToken(storage, (last) => ({
      fail: (hold, at) => storage.outbox.fail({ ...hold, leaseToken: last(hold) }, at),
    })),
  'delivers again': (storage) => {
    const delivered = new Set<string>();
    return answering(storage, 'ack', async (next, hold, at) => {
      const answer = await next.ack(hold, at);
      if (answer.outcome === 'done') delivered.add(keyOf(hold));
      return delivered.has(keyOf(hold)) ? { outcome: 'done' } : answer;
    });
  },
  'calls everything done': (storage) =>
    answering(storage, 'fail', async (next, hold, at) => {
      await next.fail(hold, at);
      return { outcome: 'done' };
    }),
  'looks first and delivers later': (storage) => {
    const delivered = new Set<string>();
    return answering(storage, 'ack', async (next, hold, at) => {
      if (delivered.has(keyOf(hold))) return { outcome: 'lease_lost' };
      await roundTrip();
      delivered.add(keyOf(hold));
      await next.ack(hold, at);
      return { outcome: 'done' };
    });
  },
  'delivers what nobody holds': (storage) => {
    const leased = new Set<string>();
    return patched(storage, {
      outbox: {
        lease: async (request) => {
          const events = await storage.outbox.lease(request);
          for (const { event } of events) leased.add(keyOf({ clientId: event.clientId, eventId: event.id }));
          return events;
        },
        ack: async (hold, at) => (leased.has(keyOf(hold)) ? storage.outbox.ack(hold, at) : { outcome: 'done' }),
      },
    });
  },
});

type Answer = Outbox['ack'];

function answering(
  storage: Storage,
  operation: 'ack' | 'fail',
  answer: (next: Pick<Outbox, 'ack' | 'fail'>, ...given: Parameters<Answer>) => ReturnType<Answer>,
): Storage {
  const { outbox } = storage;
  return patched(storage, { outbox: { [operation]: (...given: Parameters<Answer>) => answer(outbox, ...given) } });
}

/** With knowledge of which token an event was leased with last. */
function withLastToken(storage: Storage, patch: (last: (hold: LeaseHold) => string) => Partial<Outbox>): Storage {
  const tokens = new Map<string, string>();
  return patched(storage, {
    outbox: {
      lease: async (request) => {
        const events = await storage.outbox.lease(request);
        for (const { event } of events) {
          tokens.set(keyOf({ clientId: event.clientId, eventId: event.id }), request.leaseToken);
        }
        return events;
      },
      ...patch((hold) => tokens.get(keyOf(hold)) ?? hold.leaseToken),
    },
  });
}
