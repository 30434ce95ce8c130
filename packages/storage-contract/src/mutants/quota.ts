import { quotaSuite } from '../suites/quota.ts';
import { admitting } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

const NO_LIMIT = 1_000_000;

export const quotaMutants: readonly Mutant[] = mutantsOf(quotaSuite, {
  'allows one more': (storage) =>
    admitting(storage, (next, admission) => next({ ...admission, allowance: admission.allowance + 1 })),
  'takes 0 for no limit': (storage) =>
    admitting(storage, (next, admission) => next({ ...admission, allowance: admission.allowance || NO_LIMIT })),
  'reads the count and charges later': (storage) =>
    admitting(storage, async (next, admission) => {
      const used = await storage.clients.usedIn(admission.record.clientId, admission.month);
      if (used >= admission.allowance) return { outcome: 'limit_reached' };
      await roundTrip();
      return next({ ...admission, allowance: NO_LIMIT });
    }),
  'keeps the row of a refused one': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      if (answer.outcome === 'limit_reached') await next({ ...admission, month: '1970-01', allowance: NO_LIMIT });
      return answer;
    }),
  'keeps the event of a refused one': (storage) => {
    const { admit } = storage.verifications;
    const kept: Parameters<typeof admit>[0]['event'][] = [];
    return patched(storage, {
      verifications: {
        admit: async (admission) => {
          const answer = await admit(admission);
          if (answer.outcome === 'limit_reached') kept.push(admission.event);
          return answer;
        },
      },
      outbox: {
        lease: async (request) => [
          ...(await storage.outbox.lease(request)),
          ...kept.splice(0).map((event) => ({ event, attempt: 1 })),
        ],
      },
    });
  },
  'charges a refused one': (storage) => {
    const extra = new Map<string, number>();
    const keyOf = (clientId: string, month: string): string => `${clientId} ${month}`;
    return patched(storage, {
      verifications: {
        admit: async (admission) => {
          const key = keyOf(admission.record.clientId, admission.month);
          const charged = extra.get(key) ?? 0;
          const answer = await storage.verifications.admit({
            ...admission,
            allowance: admission.allowance - charged,
          });
          if (answer.outcome === 'limit_reached') extra.set(key, charged + 1);
          return answer;
        },
      },
      clients: {
        usedIn: async (clientId, month) =>
          (await storage.clients.usedIn(clientId, month)) + (extra.get(keyOf(clientId, month)) ?? 0),
      },
    });
  },
  'inserts without charging': (storage) =>
    admitting(storage, async (next, admission) => {
      const used = await storage.clients.usedIn(admission.record.clientId, admission.month);
      return used >= admission.allowance ? { outcome: 'limit_reached' } : next({ ...admission, month: '1970-01' });
    }),
  'counts all months as one': (storage) =>
    admitting(storage, (next, admission) => next({ ...admission, month: '2026-03' })),
  'counts all clients as one': (storage) =>
    admitting(storage, async (next, admission) => {
      const clients = await storage.clients.list();
      const used = await Promise.all(
        clients.map(({ client }) => storage.clients.usedIn(client.id, admission.month)),
      );
      const sum = used.reduce((total, each) => total + each, 0);
      return sum >= admission.allowance ? { outcome: 'limit_reached' } : next(admission);
    }),
  'fails where the allowance was lowered': (storage) =>
    admitting(storage, async (next, admission) => {
      const used = await storage.clients.usedIn(admission.record.clientId, admission.month);
      if (used > admission.allowance) throw new Error('CHECK constraint failed: used <= allowance');
      return next(admission);
    }),
  'keeps the first allowance of a month': (storage) => {
    const first = new Map<string, number>();
    return admitting(storage, (next, admission) => {
      const { clientId } = admission.record;
      const allowance = first.get(`${clientId} ${admission.month}`) ?? admission.allowance;
      first.set(`${clientId} ${admission.month}`, allowance);
      return next({ ...admission, allowance });
    });
  },
  'gives back the unit of a resolved one': (storage) => {
    const resolved = new Map<string, number>();
    return patched(storage, {
      verifications: {
        commit: async (change) => {
          const answer = await storage.verifications.commit(change);
          const { clientId, resolvedAt } = change.record;
          if (resolvedAt !== null) resolved.set(clientId, (resolved.get(clientId) ?? 0) + 1);
          return answer;
        },
      },
      clients: {
        usedIn: async (id, month) => (await storage.clients.usedIn(id, month)) - (resolved.get(id) ?? 0),
      },
    });
  },
});
