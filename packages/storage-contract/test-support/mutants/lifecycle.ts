import type { ApiKey, VerificationEvent } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { aClient } from '../../src/records/clients.ts';
import { faultsSuite, lifecycleSuite } from '../../src/suites/lifecycle.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  apiKeys,
  type Break,
  both,
  chargesCalls,
  clients,
  fail,
  remembering,
  roundTrip,
  verifications,
} from './patch.ts';

const { createCharged: create } = verifications;

export const lifecycleMutants: readonly Mutant[] = mutantsOf(lifecycleSuite, {
  'is not empty at first': (storage) => {
    const made = storage.clients.create({ client: aClient(9), subscription: null });
    return clients.list.override(({ next }) => made.then(() => next()))(storage);
  },
  'never answers a ping': (storage) => ({ ...storage, ping: () => Promise.reject(new Error('down')) }),
  'fails a ping during a write': (sound) => {
    let writing = 0;
    const storage = create.override(async ({ next }, request) => {
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
  'cannot be closed before its first use': (sound) => {
    let isUsed = false;
    const storage = clients.create.before(() => {
      isUsed = true;
    })(sound);
    return { ...storage, close: () => (isUsed ? sound.close() : Promise.reject(new Error('never opened'))) };
  },
  'closes without waiting for writes': create.override(async ({ next }, request) => {
    await roundTrip();
    return next(request);
  }),
  'fails writes that are running when it closes': (sound) => {
    let isClosed = false;
    const storage = create.override(async ({ next }, request) => {
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
  'replaces a verification with the same id': create.override(async ({ next, storage }, request) => {
    const { record, event } = request;
    const stored = await storage.verifications.find(record.clientId, record.id);
    if (stored === null) return next(request);
    await storage.verifications.commit({ record, expectedVersion: stored.version, events: [event] });
    return { outcome: 'created' };
  }),
  'charges a creation that it rejects for its id': chargesCalls((count) =>
    create.override(({ next }, request) =>
      next(request).catch((fault: unknown) => {
        count();
        throw fault;
      }),
    ),
  ),
  'ignores a key with a taken id': swallowing((key, other) => key.id === other.id),
  'ignores a key with a taken hash': swallowing((key, other) => key.hash === other.hash),
  'creates a verification whose event it rejects': withUniqueEvents({
    // The row and its charge are kept; what should be its event is another one's.
    createCharged: ({ verifications }, { event, ...request }) =>
      verifications.createCharged({ ...request, event: { ...event, verificationId: event.clientId } }),
  }),
  'commits a change whose event it rejects': withUniqueEvents({
    commit: ({ verifications }, change) => verifications.commit({ ...change, events: [] }),
  }),
  'fails every creation after a fault': remembering(() => {
    let isBroken = false;
    return create.override(async ({ next }, request) => {
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
  return apiKeys.issue.override(async ({ next, storage }, key) => {
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
      create.override(async ({ next, storage }, request) => {
        if (takes([request.event])) return next(request);
        await leave.createCharged?.(storage, request);
        return fail('UNIQUE constraint failed: events.id');
      }),
      verifications.commit.override(async ({ next, storage }, change) => {
        if (takes(change.events)) return next(change);
        await leave.commit?.(storage, change);
        return fail('UNIQUE constraint failed: events.id');
      }),
    );
  });
}
