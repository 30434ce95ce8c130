import { aClient, aSubscription } from '../records/clients.ts';
import { firstSubscriptionsSuite } from '../suites/first-subscriptions.ts';
import { changingSubscription as changing } from './around.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

export const firstSubscriptionsMutants: readonly Mutant[] = mutantsOf(firstSubscriptionsSuite, {
  'lets the initial subscription win': (storage) =>
    changing(storage, (next, id, change, initial) => next(id, { ...change, ...initial }, initial)),
  'changes the initial subscription too': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      await next(id, {}, initial);
      return next(id, change, initial);
    }),
  'makes a subscription of nothing': (storage) =>
    changing(storage, (next, id, change, initial) => next(id, change, initial ?? aSubscription())),
  'does not tell an unknown client': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      const result = await next(id, change, initial);
      return result.outcome === 'client_not_found' ? { outcome: 'no_subscription' } : result;
    }),
  'makes the client that it does not know': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      const result = await next(id, change, initial);
      if (result.outcome === 'client_not_found')
        await storage.clients.create({ client: aClient(1), subscription: initial });
      return result;
    }),
  'looks whether there is one and inserts later': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      const read = (await storage.clients.find(id))?.subscription;
      await roundTrip();
      return next(id, read === null && initial !== null ? initial : change, initial);
    }),
});
