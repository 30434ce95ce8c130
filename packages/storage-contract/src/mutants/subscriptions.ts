import { aSubscription } from '../records/clients.ts';
import { subscriptionsSuite } from '../suites/subscriptions.ts';
import { changingSubscription as changing } from './around.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

export const subscriptionsMutants: readonly Mutant[] = mutantsOf(subscriptionsSuite, {
  'sets fields left out to their defaults': (storage) =>
    changing(storage, (next, id, change, initial) => next(id, { ...aSubscription(), ...change }, initial)),
  'takes null for left out': (storage) =>
    changing(storage, (next, id, change, initial) => next(id, without(change, null), initial)),
  'takes 0 for left out': (storage) =>
    changing(storage, (next, id, change, initial) => next(id, without(change, 0), initial)),
  'takes undefined for null': (storage) =>
    changing(storage, (next, id, change, initial) =>
      next(id, 'endsAt' in change && change.endsAt === undefined ? { ...change, endsAt: null } : change, initial),
    ),
  'fails where there is nothing to set': (storage) =>
    changing(storage, (next, id, change, initial) => {
      if (Object.keys(change).length === 0) throw new Error('syntax error near WHERE');
      return next(id, change, initial);
    }),
  'changes every client’s subscription': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      for (const { client } of await storage.clients.list()) await next(client.id, change, null);
      return next(id, change, initial);
    }),
  'lets the earlier change win': (storage) => {
    const set = new Set<string>();
    return changing(storage, (next, id, change, initial) => {
      const late = Object.entries(change).filter(([field]) => !set.has(field));
      for (const [field] of late) set.add(field);
      return next(id, Object.fromEntries(late), initial);
    });
  },
  'reads the subscription and writes it back whole': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      const read = (await storage.clients.find(id))?.subscription;
      await roundTrip();
      return next(id, { ...read, ...without(change, undefined) }, initial);
    }),
  'answers with what was there before': (storage) =>
    changing(storage, async (next, id, change, initial) => {
      const before = (await storage.clients.find(id))?.subscription;
      const result = await next(id, change, initial);
      return result.outcome === 'changed' && before ? { ...result, subscription: before } : result;
    }),
});

const without = (change: object, unwanted: unknown): object =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== unwanted));
