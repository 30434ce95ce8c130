import { quotaSuite } from '../suites/quota.ts';
import { creating } from './around.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

const NO_LIMIT = 1_000_000;

export const quotaMutants: readonly Mutant[] = mutantsOf(quotaSuite, {
  'allows one more': (storage) =>
    creating(storage, (next, request) => next({ ...request, allowance: request.allowance + 1 })),
  'takes 0 for no limit': (storage) =>
    creating(storage, (next, request) => next({ ...request, allowance: request.allowance || NO_LIMIT })),
  'reads the count and charges later': (storage) =>
    creating(storage, async (next, request) => {
      const used = await storage.clients.usedIn(request.record.clientId, request.month);
      if (used >= request.allowance) return { outcome: 'limit_reached' };
      await roundTrip();
      return next({ ...request, allowance: NO_LIMIT });
    }),
  'keeps the row of a refused one': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome === 'limit_reached') await next({ ...request, month: '1970-01', allowance: NO_LIMIT });
      return answer;
    }),
  'keeps the event of a refused one': (storage) => {
    const { createCharged } = storage.verifications;
    const kept: Parameters<typeof createCharged>[0]['event'][] = [];
    return patched(storage, {
      verifications: {
        createCharged: async (request) => {
          const answer = await createCharged(request);
          if (answer.outcome === 'limit_reached') kept.push(request.event);
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
        createCharged: async (request) => {
          const key = keyOf(request.record.clientId, request.month);
          const charged = extra.get(key) ?? 0;
          const answer = await storage.verifications.createCharged({
            ...request,
            allowance: request.allowance - charged,
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
    creating(storage, async (next, request) => {
      const used = await storage.clients.usedIn(request.record.clientId, request.month);
      return used >= request.allowance ? { outcome: 'limit_reached' } : next({ ...request, month: '1970-01' });
    }),
  'counts all months as one': (storage) =>
    creating(storage, (next, request) => next({ ...request, month: '2026-03' })),
  'counts all clients as one': (storage) =>
    creating(storage, async (next, request) => {
      const clients = await storage.clients.list();
      const used = await Promise.all(
        clients.map(({ client }) => storage.clients.usedIn(client.id, request.month)),
      );
      const sum = used.reduce((total, each) => total + each, 0);
      return sum >= request.allowance ? { outcome: 'limit_reached' } : next(request);
    }),
  'fails where the allowance was lowered': (storage) =>
    creating(storage, async (next, request) => {
      const used = await storage.clients.usedIn(request.record.clientId, request.month);
      if (used > request.allowance) throw new Error('CHECK constraint failed: used <= allowance');
      return next(request);
    }),
  'keeps the first allowance of a month': (storage) => {
    const first = new Map<string, number>();
    return creating(storage, (next, request) => {
      const { clientId } = request.record;
      const allowance = first.get(`${clientId} ${request.month}`) ?? request.allowance;
      first.set(`${clientId} ${request.month}`, allowance);
      return next({ ...request, allowance });
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
