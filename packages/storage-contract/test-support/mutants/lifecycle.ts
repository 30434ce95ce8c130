import type { ApiKey, Storage, VerificationEvent } from '@countersign/domain';
import { aClient } from '../../src/records/clients.ts';
import { faultsSuite, lifecycleSuite } from '../../src/suites/lifecycle.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, chargesCalls, fail, on, remembering, roundTrip } from './patch.ts';

export const lifecycleMutants: readonly Mutant[] = mutantsOf(lifecycleSuite, {
  'is not empty at first': (storage) => {
    const made = storage.clients.create({ client: aClient(9), subscription: null });
    return on('clients.list')(({ next }) => made.then(() => next()))(storage);
  },
  'never answers a ping': (storage) => ({ ...storage, ping: () => Promise.reject(new Error('down')) }),
  'does not answer a ping while it writes': (sound) => {
    let writing = 0;
    const storage = on('verifications.createCharged')(async ({ next }, request) => {
      writing += 1;
      await roundTrip();
      writing -= 1;
      return next(request);
    })(sound);
    return { ...storage, ping: () => (writing === 0 ? sound.ping() : Promise.reject(new Error('busy'))) };
  },
  'cannot be closed twice': (storage) => {
    let isClosed = false;
    return {
      ...storage,
      close: async () => {
        if (isClosed) fail('not open');
        isClosed = true;
      },
    };
  },
  'cannot be closed before it was used': (sound) => {
    let isUsed = false;
    const storage = on('clients.create')(({ next }, entry) => {
      isUsed = true;
      return next(entry);
    })(sound);
    return { ...storage, close: () => (isUsed ? sound.close() : Promise.reject(new Error('never opened'))) };
  },
  'closes without waiting for writes': on('verifications.createCharged')(async ({ next }, request) => {
    await roundTrip();
    return next(request);
  }),
  'closes under the feet of writes': (sound) => {
    let isClosed = false;
    const storage = on('verifications.createCharged')(async ({ next }, request) => {
      await Promise.resolve();
      return isClosed ? fail('not open') : next(request);
    })(sound);
    return {
      ...storage,
      close: async () => {
        isClosed = true;
      },
    };
  },
});

export const faultsMutants: readonly Mutant[] = mutantsOf(faultsSuite, {
  'replaces a verification whose id is taken': on('verifications.createCharged')(
    async ({ next, storage }, request) => {
      const { record, event } = request;
      const stored = await storage.verifications.find(record.clientId, record.id);
      if (stored === null) return next(request);
      await storage.verifications.commit({ record, expectedVersion: stored.version, events: [event] });
      return { outcome: 'created' };
    },
  ),
  'charges a verification whose id is taken': chargesCalls((count) =>
    on('verifications.createCharged')(({ next }, request) =>
      next(request).catch((fault: unknown) => {
        count();
        throw fault;
      }),
    ),
  ),
  'passes over a key whose id is taken': swallowing((key, other) => key.id === other.id),
  'passes over a key whose hash is taken': swallowing((key, other) => key.hash === other.hash),
  'keeps a verification whose event it cannot keep': withUniqueEvents({
    // The row and its charge are kept; what should be its event is another one's.
    createCharged: ({ verifications }, { event, ...request }) =>
      verifications.createCharged({ ...request, event: { ...event, verificationId: event.clientId } }),
  }),
  'keeps a change whose event it cannot keep': withUniqueEvents({
    commit: ({ verifications }, change) => verifications.commit({ ...change, events: [] }),
  }),
  'is broken after a fault': remembering(() => {
    let isBroken = false;
    return on('verifications.createCharged')(async ({ next }, request) => {
      if (isBroken) fail('current transaction is aborted');
      return next(request).catch((fault: unknown) => {
        isBroken = true;
        throw fault;
      });
    });
  }),
});

/** Answers `issued` for keys that it does not keep. */
function swallowing(isSame: (key: ApiKey, other: ApiKey) => boolean): Break {
  return on('apiKeys.issue')(async ({ next, storage }, key) => {
    const clients = await storage.clients.list();
    const keys = await Promise.all(clients.map(({ client }) => storage.apiKeys.list(client.id)));
    return keys.flat().some((other) => isSame(key, other)) ? { outcome: 'issued' } : next(key);
  });
}

type Verifications = Storage['verifications'];

/** Refuses events whose id is taken, but leaves something behind. */
function withUniqueEvents(leave: {
  createCharged?: (storage: Storage, ...given: Parameters<Verifications['createCharged']>) => Promise<unknown>;
  commit?: (storage: Storage, ...given: Parameters<Verifications['commit']>) => Promise<unknown>;
}): Break {
  return remembering(() => {
    const taken = new Set<string>();
    const takes = (events: readonly VerificationEvent[]): boolean => {
      if (events.some(({ id }) => taken.has(id))) return false;
      for (const { id } of events) taken.add(id);
      return true;
    };
    return both(
      on('verifications.createCharged')(async ({ next, storage }, request) => {
        if (takes([request.event])) return next(request);
        await leave.createCharged?.(storage, request);
        return fail('UNIQUE constraint failed: events.id');
      }),
      on('verifications.commit')(async ({ next, storage }, change) => {
        if (takes(change.events)) return next(change);
        await leave.commit?.(storage, change);
        return fail('UNIQUE constraint failed: events.id');
      }),
    );
  });
}
