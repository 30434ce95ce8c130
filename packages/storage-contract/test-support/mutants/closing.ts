import { closingSuite } from '../../src/suites/closing.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { audit, clients, fail, mailQueue, roundTrip, verifications } from './patch.ts';

export const closingMutants: readonly Mutant[] = mutantsOf(closingSuite, {
  'answers everything after it was closed': (storage) => ({ ...storage, close: async () => undefined }),
  'answers a read after it was closed': clients.find.override(({ next }, id) => next(id).catch(() => null)),
  'answers a ping after it was closed': (storage) => ({ ...storage, ping: async () => undefined }),
  'rejects with an error without a code after it was closed': audit.head.override(({ next }) =>
    next().catch(() => fail('not open')),
  ),
  'loses creations in silence after it was closed': verifications.createCharged.override(({ next }, request) =>
    next(request).catch(() => ({ outcome: 'created' })),
  ),
  'never answers after it was closed': mailQueue.lease.override(({ next }, request) =>
    next(request).catch(() => new Promise(() => undefined)),
  ),
  'accepts writes until it is closed': (storage) => ({
    ...storage,
    close: async () => {
      await roundTrip();
      await storage.close();
    },
  }),
});
