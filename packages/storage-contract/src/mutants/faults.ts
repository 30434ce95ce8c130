import type { ApiKey, Storage, VerificationEvent } from '@countersign/domain';
import { faultsSuite } from '../suites/faults.ts';
import { admitting } from './around.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const faultsMutants: readonly Mutant[] = mutantsOf(faultsSuite, {
  'replaces a verification whose id is taken': (storage) =>
    admitting(storage, async (next, admission) => {
      const { clientId, id } = admission.record;
      const stored = await storage.verifications.find(clientId, id);
      if (stored === null) return next(admission);
      const change = { record: admission.record, expectedVersion: stored.version, events: [admission.event] };
      await storage.verifications.commit(change);
      return { outcome: 'admitted' };
    }),
  'charges a verification whose id is taken': (storage) => {
    let charged = 0;
    return patched(storage, {
      verifications: {
        admit: (admission) =>
          storage.verifications.admit(admission).catch((fault: unknown) => {
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
      admit: async ({ event, ...admission }) => {
        // The row and its charge are kept; what should be its event is another one's.
        await storage.verifications.admit({ ...admission, event: { ...event, verificationId: event.clientId } });
      },
      commit: async () => undefined,
    }),
  'keeps a change whose event it cannot keep': (storage) =>
    withUniqueEvents(storage, {
      admit: async () => undefined,
      commit: async (change) => {
        await storage.verifications.commit({ ...change, events: [] });
      },
    }),
  'is broken after a fault': (storage) => {
    let isBroken = false;
    return admitting(storage, async (next, admission) => {
      if (isBroken) throw new Error('current transaction is aborted');
      return next(admission).catch((fault: unknown) => {
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
    admit: (admission: Parameters<Storage['verifications']['admit']>[0]) => Promise<void>;
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
      admit: async (admission) => {
        if (takes([admission.event])) return storage.verifications.admit(admission);
        await leave.admit(admission);
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
