import type { ClientWithSubscription } from '@countersign/domain/clients';
import { clientNameKey } from '@countersign/domain/storage';
import { aClient } from '../../src/records/clients.ts';
import { clientSearchSuite, clientsSuite } from '../../src/suites/clients.ts';
import { firstSubscriptionsSuite, subscriptionsSuite } from '../../src/suites/subscriptions.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, fail, roundTrip, toSeconds, untilNul } from './patch.ts';

const { changeSubscription, create, list, search } = clients;

export const clientsMutants: readonly Mutant[] = mutantsOf(clientsSuite, {
  'truncates times to seconds': create.input(({ client }) => ({
    client: { ...client, createdAt: toSeconds(client.createdAt) },
  })),
  'replaces characters beyond ASCII in names': create.input(({ client }) => ({
    client: { ...client, name: client.name.replace(/[^ -~]/g, '?') },
  })),
  'sets a monthly limit where there is none': create.input(({ subscription }) => ({
    subscription: subscription && { ...subscription, monthlyLimit: subscription.monthlyLimit ?? 1_000 },
  })),
  'reads, then creates': create.override(async ({ next, storage }, entry) => {
    if ((await storage.clients.find(entry.client.id)) !== null) return { outcome: 'exists' };
    await roundTrip();
    await next(entry);
    return { outcome: 'created' };
  }),
  'lists an additional client': list.result((entries) => [
    ...entries,
    { client: aClient(99), subscription: null },
  ]),
  'fails on names of ids that are no UUIDs': clients.names.override(({ next }, ids) =>
    next(ids.map((id) => (id === '' ? fail('invalid input syntax for type uuid') : id))),
  ),
  'refuses a taken name': create.override(async ({ next, storage }, entry) => {
    const others = await storage.clients.list();
    return others.some(({ client }) => client.name === entry.client.name) ? { outcome: 'exists' } : next(entry);
  }),
  'counts all months together': clients.usedIn.override(({ next }, id) => next(id, '2026-03')),
});

type Compare = (a: ClientWithSubscription, b: ClientWithSubscription) => number;
const ALL = { namePrefix: '', after: undefined, limit: 100, countUpTo: 1_000 };
const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Searches all clients in another way, by another key of the name. */
const searches = (
  keyOf: (name: string) => string,
  isMatch = (key: string, prefix: string) => key.startsWith(prefix),
) =>
  search.override(async ({ next }, { namePrefix, after, limit }) => {
    const compare: Compare = ({ client: a }, { client: b }) =>
      byCode(keyOf(a.name), keyOf(b.name)) || byCode(a.id, b.id);
    const { entries } = await next(ALL);
    const matching = entries.filter(({ client }) => isMatch(keyOf(client.name), keyOf(namePrefix)));
    const start = after && { client: { ...aClient(1), ...after }, subscription: null };
    const left = matching.filter((entry) => start === undefined || compare(start, entry) < 0);
    return { entries: left.sort(compare).slice(0, limit), totalCount: matching.length };
  });

export const clientSearchMutants: readonly Mutant[] = mutantsOf(clientSearchSuite, {
  'ignores case only': searches((name) => name.toLowerCase()),
  'ignores case in ASCII only': searches((name) =>
    name
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  'finds the text anywhere in the name': searches(clientNameKey, (key, prefix) => key.includes(prefix)),
  'takes % and _ for wildcards': searches(clientNameKey, (key, prefix) =>
    new RegExp(
      `^${[...prefix].map((each) => ({ '%': '.*', _: '.' })[each] ?? `\\u{${each.codePointAt(0)?.toString(16)}}`).join('')}`,
      'u',
    ).test(key),
  ),
  'matches every name with NUL': search.input(({ namePrefix }) => ({ namePrefix: untilNul(namePrefix) })),
  'counts no further than asked': search.result(({ entries, totalCount }, { countUpTo }) => ({
    entries,
    totalCount: Math.min(totalCount, countUpTo),
  })),
  'counts from the position on': search.override(async ({ next }, query) => {
    const page = await next(query);
    const { entries } = await next({ ...query, limit: 100 });
    return { ...page, totalCount: entries.length };
  }),
});

export const subscriptionsMutants: readonly Mutant[] = mutantsOf(subscriptionsSuite, {
  'ignores null': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, without(change, null), initial),
  ),
  'ignores 0': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, without(change, 0), initial),
  ),
  'takes undefined for null': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, 'endsAt' in change && change.endsAt === undefined ? { ...change, endsAt: null } : change, initial),
  ),
  'changes every client’s subscription': changeSubscription.override(
    async ({ next, storage }, id, change, initial) => {
      for (const { client } of await storage.clients.list()) await next(client.id, change, null);
      return next(id, change, initial);
    },
  ),
  'reads the subscription and writes it back whole': changeSubscription.override(
    async ({ next, storage }, id, change, initial) => {
      const read = (await storage.clients.find(id))?.subscription;
      await roundTrip();
      return next(id, { ...read, ...without(change, undefined) }, initial);
    },
  ),
  'returns the subscription from before the change': changeSubscription.override(
    async ({ next, storage }, ...input) => {
      const before = (await storage.clients.find(input[0]))?.subscription;
      const result = await next(...input);
      return result.outcome === 'changed' && before ? { ...result, subscription: before } : result;
    },
  ),
});

const without = (change: object, unwanted: unknown): object =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== unwanted));

export const firstSubscriptionsMutants: readonly Mutant[] = mutantsOf(firstSubscriptionsSuite, {
  'applies the change to the initial subscription': changeSubscription.override(
    async ({ next }, id, change, initial) => {
      await next(id, {}, initial);
      return next(id, change, initial);
    },
  ),
  'reads, then inserts': changeSubscription.override(async ({ next, storage }, id, change, initial) => {
    const read = (await storage.clients.find(id))?.subscription;
    await roundTrip();
    return next(id, read === null && initial !== null ? initial : change, initial);
  }),
});
