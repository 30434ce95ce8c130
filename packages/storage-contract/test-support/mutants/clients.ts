import type { ClientWithSubscription } from '@countersign/domain/clients';
import { clientNameKey } from '@countersign/domain/storage';
import { aClient, aSubscription } from '../../src/records/clients.ts';
import { clientSearchSuite, clientsSuite } from '../../src/suites/clients.ts';
import { firstSubscriptionsSuite, subscriptionsSuite } from '../../src/suites/subscriptions.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { both, clients, fail, remembering, roundTrip, toSeconds, untilNul } from './patch.ts';

const { changeSubscription, create, list, search } = clients;

export const clientsMutants: readonly Mutant[] = mutantsOf(clientsSuite, {
  'truncates times to seconds': create.input(({ client }) => ({
    client: { ...client, createdAt: toSeconds(client.createdAt) },
  })),
  'replaces characters beyond ASCII in names': create.input(({ client }) => ({
    client: { ...client, name: client.name.replace(/[^ -~]/g, '?') },
  })),
  'stores twins as clients in live use': create.input(({ client }) => ({
    client: { ...client, testOf: null },
  })),
  'lists twins as clients in live use': list.result((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, testOf: null } })),
  ),
  'sets an end on open-ended subscriptions': create.input(({ subscription }) => ({
    subscription: subscription && { ...subscription, endsAt: subscription.endsAt ?? new Date(8.64e15) },
  })),
  'sets a monthly limit where there is none': create.input(({ subscription }) => ({
    subscription: subscription && { ...subscription, monthlyLimit: subscription.monthlyLimit ?? 1_000 },
  })),
  'creates a subscription for every client': create.input(({ subscription }) => ({
    subscription: subscription ?? aSubscription(),
  })),
  'returns another client for an unknown id': clients.find.override(
    async ({ next, storage }, id) => (await next(id)) ?? (await storage.clients.list())[0] ?? null,
  ),
  'adds a subscription to an existing client': create.override(async ({ next, storage }, entry) => {
    const answer = await next(entry);
    const { client, subscription } = entry;
    if (answer.outcome === 'exists' && subscription !== null) {
      await storage.clients.changeSubscription(client.id, subscription, subscription);
    }
    return answer;
  }),
  'reads, then creates': create.override(async ({ next, storage }, entry) => {
    if ((await storage.clients.find(entry.client.id)) !== null) return { outcome: 'exists' };
    await roundTrip();
    await next(entry);
    return { outcome: 'created' };
  }),
  'lists the newest first': list.result((entries) => [...entries].reverse()),
  'orders clients of one moment by insertion': remembering(() => {
    const written: string[] = [];
    const place = ({ client }: ClientWithSubscription): number => written.indexOf(client.id);
    return both(
      create.before((entry) => written.push(entry.client.id)),
      list.result((entries) =>
        [...entries].sort(
          (a, b) => Number(a.client.createdAt) - Number(b.client.createdAt) || place(a) - place(b),
        ),
      ),
    );
  }),
  'lists an additional client': list.result((entries) => [
    ...entries,
    { client: aClient(99), subscription: null },
  ]),
  'names unknown clients by their id': clients.names.override(async ({ next }, ids) => {
    const known = await next(ids);
    return new Map(ids.map((id) => [id, known.get(id) ?? { name: id, testOf: null, dueHours: null }]));
  }),
  'names all clients': clients.names.override(
    async ({ storage }) =>
      new Map(
        (await storage.clients.list()).map(({ client: { id, name, testOf, flowSettings } }) => [
          id,
          { name, testOf, dueHours: flowSettings.dueHours },
        ]),
      ),
  ),
  'names clients without a due time': clients.names.result(
    (named) => new Map([...named].map(([id, one]) => [id, { ...one, dueHours: null }])),
  ),
  'fails on names of ids that are no UUIDs': clients.names.override(({ next }, ids) =>
    next(ids.map((id) => (id === '' ? fail('invalid input syntax for type uuid') : id))),
  ),
  'refuses a taken name': create.override(async ({ next, storage }, entry) => {
    const others = await storage.clients.list();
    return others.some(({ client }) => client.name === entry.client.name) ? { outcome: 'exists' } : next(entry);
  }),
  'counts all months together': clients.usedIn.override(({ next }, id) => next(id, '2026-03')),
  'returns NaN for an unknown client': clients.usedIn.override(async ({ next, storage }, id, month) =>
    (await storage.clients.find(id)) === null ? Number.NaN : next(id, month),
  ),
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
  ...search.ignoring('after'),
  'orders by the name as it is': searches((name) => name),
  'ignores case only': searches((name) => name.toLowerCase()),
  'ignores case in ASCII only': searches((name) =>
    name
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  'finds the text anywhere in the name': searches(clientNameKey, (key, prefix) => key.includes(prefix)),
  'finds whole names only': searches(clientNameKey, (key, prefix) => prefix === '' || key === prefix),
  'takes % and _ for wildcards': searches(clientNameKey, (key, prefix) =>
    new RegExp(
      `^${[...prefix].map((each) => ({ '%': '.*', _: '.' })[each] ?? `\\u{${each.codePointAt(0)?.toString(16)}}`).join('')}`,
      'u',
    ).test(key),
  ),
  'matches every name with NUL': search.input(({ namePrefix }) => ({ namePrefix: untilNul(namePrefix) })),
  'returns one client too many': search.input(({ limit }) => ({ limit: limit + 1 })),
  'counts the page': search.result(({ entries }) => ({ entries, totalCount: entries.length })),
  'counts no further than asked': search.result(({ entries, totalCount }, { countUpTo }) => ({
    entries,
    totalCount: Math.min(totalCount, countUpTo),
  })),
  'counts from the position on': search.override(async ({ next }, query) => {
    const page = await next(query);
    const { entries } = await next({ ...query, limit: 100 });
    return { ...page, totalCount: entries.length };
  }),
  'returns no subscriptions': search.result(({ entries, totalCount }) => ({
    entries: entries.map(({ client }) => ({ client, subscription: null })),
    totalCount,
  })),
  'repeats the client at the position': search.override(async ({ next, storage }, query) => {
    const page = await next(query);
    const at = query.after === undefined ? null : await storage.clients.find(query.after.id);
    return at === null ? page : { ...page, entries: [at, ...page.entries].slice(0, query.limit) };
  }),
  'pages by offset': remembering(() => {
    let offset = 0;
    return search.override(async ({ next }, query) => {
      offset = query.after === undefined ? 0 : offset + query.limit;
      const { entries, totalCount } = await next({ ...query, after: undefined, limit: 100 });
      return { entries: entries.slice(offset, offset + query.limit), totalCount };
    });
  }),
});

export const subscriptionsMutants: readonly Mutant[] = mutantsOf(subscriptionsSuite, {
  'resets omitted fields to their defaults': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, { ...aSubscription(), ...change }, initial),
  ),
  'ignores null': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, without(change, null), initial),
  ),
  'ignores 0': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, without(change, 0), initial),
  ),
  'takes undefined for null': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, 'endsAt' in change && change.endsAt === undefined ? { ...change, endsAt: null } : change, initial),
  ),
  'fails on an empty change': changeSubscription.override(({ next }, id, change, initial) =>
    Object.keys(change).length === 0 ? fail('syntax error near WHERE') : next(id, change, initial),
  ),
  'changes every client’s subscription': changeSubscription.override(
    async ({ next, storage }, id, change, initial) => {
      for (const { client } of await storage.clients.list()) await next(client.id, change, null);
      return next(id, change, initial);
    },
  ),
  'keeps the earlier of two changes': remembering(() => {
    const set = new Set<string>();
    return changeSubscription.override(({ next }, id, change, initial) => {
      const late = Object.entries(change).filter(([field]) => !set.has(field));
      for (const [field] of late) set.add(field);
      return next(id, Object.fromEntries(late), initial);
    });
  }),
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
  'prefers the initial subscription to the change': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, { ...change, ...initial }, initial),
  ),
  'applies the change to the initial subscription': changeSubscription.override(
    async ({ next }, id, change, initial) => {
      await next(id, {}, initial);
      return next(id, change, initial);
    },
  ),
  'creates a subscription without an initial one': changeSubscription.override(({ next }, id, change, initial) =>
    next(id, change, initial ?? aSubscription()),
  ),
  'answers no_subscription for an unknown client': changeSubscription.result((result) =>
    result.outcome === 'client_not_found' ? { outcome: 'no_subscription' } : result,
  ),
  'creates an unknown client': changeSubscription.override(async ({ next, storage }, ...input) => {
    const result = await next(...input);
    if (result.outcome === 'client_not_found') {
      await storage.clients.create({ client: aClient(1), subscription: input[2] });
    }
    return result;
  }),
  'reads, then inserts': changeSubscription.override(async ({ next, storage }, id, change, initial) => {
    const read = (await storage.clients.find(id))?.subscription;
    await roundTrip();
    return next(id, read === null && initial !== null ? initial : change, initial);
  }),
});
