import { aClient } from '../records/clients.ts';
import { lifecycleSuite } from '../suites/lifecycle.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const lifecycleMutants: readonly Mutant[] = mutantsOf(lifecycleSuite, {
  'is not empty at first': (storage) => {
    const made = storage.clients.create({ client: aClient(9), subscription: null });
    return patched(storage, { clients: { list: async () => made.then(() => storage.clients.list()) } });
  },
  'never answers a ping': (storage) => patched(storage, { ping: () => Promise.reject(new Error('down')) }),
  'does not answer a ping while it writes': (storage) => {
    let writing = 0;
    return patched(storage, {
      verifications: {
        createCharged: async (request) => {
          writing += 1;
          await roundTrip();
          writing -= 1;
          return storage.verifications.createCharged(request);
        },
      },
      ping: () => (writing === 0 ? storage.ping() : Promise.reject(new Error('busy'))),
    });
  },
  'cannot be closed twice': (storage) => {
    let isClosed = false;
    return patched(storage, {
      close: async () => {
        if (isClosed) throw new Error('not open');
        isClosed = true;
      },
    });
  },
  'cannot be closed before it was used': (storage) => {
    let isUsed = false;
    return patched(storage, {
      clients: {
        create: (entry) => {
          isUsed = true;
          return storage.clients.create(entry);
        },
      },
      close: () => (isUsed ? storage.close() : Promise.reject(new Error('never opened'))),
    });
  },
  'closes without waiting for writes': (storage) =>
    patched(storage, {
      verifications: {
        createCharged: async (request) => {
          await roundTrip();
          return storage.verifications.createCharged(request);
        },
      },
    }),
  'closes under the feet of writes': (storage) => {
    let isClosed = false;
    return patched(storage, {
      verifications: {
        createCharged: async (request) => {
          await Promise.resolve();
          if (isClosed) throw new Error('not open');
          return storage.verifications.createCharged(request);
        },
      },
      close: async () => {
        isClosed = true;
      },
    });
  },
});
