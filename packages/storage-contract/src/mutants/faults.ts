import type { ApiKey, Storage, VerificationEvent } from '@countersign/domain';
import { faultsSuite } from '../suites/faults.ts';
import { creating } from './around.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const faultsMutants: readonly Mutant[] = mutantsOf(faultsSuite, {
  'replaces a verification whose id is taken': (storage) =>
    creating(storage, async (next, request) => {
      const { clientId, id } = request.record;
      const stored = await storage.verifications.find(clientId, id);
      if (stored === null) return next(request);
      const change = { record: request.record, expectedVersion: stored.version, events: [request.event] };
      await storage.verifications.commit(change);
      return { outcome: 'created' };
    }),
  'charges a verification whose id is taken': (storage) => {
    let charged = 0;
    return patched(storage, {
      verifications: {
        createCharged: (request) =>
          storage.verifications.createCharged(request).catch((fault: unknown) => {
            charged += 1;
            throw fault;
          }),
      },
      clients: { usedIn: async (...given) => (await storage.clients.usedIn(...given)) + charged },
    });
  },
  'passes over a key whose id is taken': (storage) =>
    swallowing(storage, (key, keys) => keys.some(({ id }) => id === key.id)),
  'passes over a key whose hash is taken': (storage) =>
    swallowing(storage, (key, keys) => keys.some(({ hash }) => hash === key.hash)),
  'keeps a verification whose event it cannot keep': (storage) =>
    withUniqueEvents(storage, {
      createCharged: async ({ event, ...request }) => {
        // The row and its charge are kept; what should be its event is another one's.
        await storage.verifications.createCharged({
          ...request,
          event: { ...event, verificationId: event.clientId },
        });
      },
      commit: async () => undefined,
    }),
  'keeps a change whose event it cannot keep': (storage) =>
    withUniqueEvents(storage, {
      createCharged: async () => undefined,
      commit: async (change) => {
        await storage.verifications.commit({ ...change, events: [] });
      },
    }),
  'is broken after a fault': (storage) => {
    let isBroken = false;
    return creating(storage, async (next, request) => {
      if (isBroken) throw new Error('current transaction is aborted');
      return next(request).catch((fault: unknown) => {
        isBroken = true;
        throw fault;
      });
    });
  },
});

/** Answers `issued` for keys that it does not keep. */
function swallowing(storage: Storage, isTaken: (key: ApiKey, keys: readonly ApiKey[]) => boolean): Storage {
  return patched(storage, {
    apiKeys: {
      issue: async (key) => {
        const clients = await storage.clients.list();
        const keys = await Promise.all(clients.map(({ client }) => storage.apiKeys.list(client.id)));
        return isTaken(key, keys.flat()) ? { outcome: 'issued' } : storage.apiKeys.issue(key);
      },
    },
  });
}

/** Refuses events whose id is taken, but leaves something behind. */
function withUniqueEvents(
  storage: Storage,
  leave: {
    createCharged: (request: Parameters<Storage['verifications']['createCharged']>[0]) => Promise<void>;
    commit: (change: Parameters<Storage['verifications']['commit']>[0]) => Promise<void>;
  },
): Storage {
  const taken = new Set<string>();
  const takes = (events: readonly VerificationEvent[]): boolean => {
    if (events.some(({ id }) => taken.has(id))) return false;
    for (const { id } of events) taken.add(id);
    return true;
  };
  return patched(storage, {
    verifications: {
      createCharged: async (request) => {
        if (takes([request.event])) return storage.verifications.createCharged(request);
        await leave.createCharged(request);
        throw new Error('UNIQUE constraint failed: events.id');
      },
      commit: async (change) => {
        if (takes(change.events)) return storage.verifications.commit(change);
        await leave.commit(change);
        throw new Error('UNIQUE constraint failed: events.id');
      },
    },
  });
}
