import { NEW_FLOW_SETTINGS } from '@countersign/domain/clients';
import type { ClientQuery, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { APRIL, clientId, daysAfter, MARCH, minute } from '../records/ids.ts';
import { expectUnchanged } from '../records/picture.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Clients: created once, found, listed in order, with their use. */
export const clientsSuite: Suite = suiteOf('clients', {
  'find: returns the client as it was created, with its subscription': async ({ clients }) => {
    const entry = {
      client: aClient(1, {
        name: 'Zoë & Søn “Ümläut” 株式会社 😀 % _ \' " \\',
        createdAt: minute(0, 123),
      }),
      subscription: aSubscription({
        plan: 'enterprise',
        status: 'canceled',
        monthlyLimit: 2_147_483_647,
        startsAt: minute(0, 1),
        endsAt: daysAfter(minute(0, 999), 365),
      }),
    };

    expect(await clients.create(entry)).toEqual({ outcome: 'created' });

    expect(await clients.find(clientId(1))).toEqual(entry);
  },

  'find: returns a subscription without an end and without its own limit': async ({ clients }) => {
    const subscription = aSubscription({ monthlyLimit: null, endsAt: null });
    await clients.create({ client: aClient(1), subscription });

    expect((await clients.find(clientId(1)))?.subscription).toEqual(subscription);
  },

  'find: returns a client without a subscription': async ({ clients }) => {
    await clients.create({ client: aClient(1), subscription: null });

    expect(await clients.find(clientId(1))).toEqual({ client: aClient(1), subscription: null });
  },

  'find: an unknown client is null': async (storage) => {
    await givenClient(storage, 1);

    expect(await storage.clients.find(clientId(2))).toBeNull();
  },

  'create: with a taken id changes neither the client nor its subscription': async (storage) => {
    await givenClient(storage, 1, null);
    await givenClient(storage, 2, aSubscription());

    await expectUnchanged(storage, async () => {
      const again = { client: aClient(1, { name: 'Another' }), subscription: aSubscription() };
      const alsoAgain = {
        client: aClient(2),
        subscription: aSubscription({ plan: 'enterprise', monthlyLimit: 5 }),
      };

      expect(await storage.clients.create(again)).toEqual({ outcome: 'exists' });
      expect(await storage.clients.create(alsoAgain)).toEqual({ outcome: 'exists' });
    });
  },

  'create: of many at once with one id, one is kept whole': async ({ clients }) => {
    const entries = range(0, 29).map((n) => ({
      client: aClient(1, { name: `Client ${n}` }),
      subscription: n % 2 === 0 ? null : aSubscription({ monthlyLimit: n }),
    }));

    const outcomes = await Promise.all(entries.map((entry) => clients.create(entry)));

    expect(tally(outcomes)).toEqual({ created: 1, exists: 29 });
    const winner = entries[outcomes.findIndex(({ outcome }) => outcome === 'created')];
    expect(await clients.find(clientId(1))).toEqual(winner);
    expect(await clients.list()).toEqual([winner]);
  },

  'list: returns all clients with their subscriptions, oldest first, then by id': async ({ clients }) => {
    const entryOf = (n: number, created: Date) => ({
      client: aClient(n, { createdAt: created, testOf: n > 3 ? clientId(9 + n) : null }),
      subscription: n % 2 === 0 ? null : aSubscription({ monthlyLimit: n }),
    });
    const inOrder = [
      entryOf(4, minute(1)),
      entryOf(1, minute(2, 1)),
      entryOf(3, minute(2, 1)),
      entryOf(5, minute(2, 1)),
      entryOf(2, minute(2, 2)),
    ];
    for (const index of [2, 4, 0, 3, 1]) await clients.create(inOrder[index] ?? entryOf(9, minute(9)));

    expect(await clients.list()).toEqual(inOrder);
  },

  'list: is empty without clients': async ({ clients }) => {
    expect(await clients.list()).toEqual([]);
  },

  'names: returns the names of known clients, each once': async (storage) => {
    await givenClients(storage, [1, 2]);
    await givenClient(storage, 3, null, { flowSettings: { ...NEW_FLOW_SETTINGS, dueHours: 24 } });

    const ids = [clientId(3), clientId(1), clientId(9), clientId(3), 'not-an-id', '\u0000', ''];
    expect(await storage.clients.names(ids)).toEqual(
      new Map([
        [clientId(1), { name: aClient(1).name, testOf: null, dueHours: null }],
        [clientId(3), { name: aClient(3).name, testOf: null, dueHours: 24 }],
      ]),
    );
    expect(await storage.clients.names([])).toEqual(new Map());
  },

  'create: two clients may have the same name': async ({ clients }) => {
    for (const n of [1, 2]) {
      const entry = { client: aClient(n, { name: 'Same' }), subscription: null };
      expect(await clients.create(entry)).toEqual({ outcome: 'created' });
    }
  },

  'usedIn: is 0 for a month or client without verifications': async (storage) => {
    await givenClient(storage, 1);
    await givenClient(storage, 2);
    await givenVerification(storage, 1);

    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(1);
    expect(await storage.clients.usedIn(clientId(1), APRIL)).toBe(0);
    expect(await storage.clients.usedIn(clientId(2), MARCH)).toBe(0);
    expect(await storage.clients.usedIn(clientId(3), MARCH)).toBe(0);
  },
});

/** Names in the order of a search. Each is the next client, so that ids break no tie but the last. */
const BY_NAME = [
  '10 North',
  '2 North',
  'Acme',
  'ACME Bank',
  'acme_bank',
  'Äpfel & Co',
  'Zoë',
  'Банк',
  '株式会社',
  '😀',
];

/** Clients by name: in order, page after page, by the start of the name. */
export const clientSearchSuite: Suite = suiteOf('client search', {
  'search: orders clients by name without case and accents, with their subscriptions': async ({ clients }) => {
    const entries = BY_NAME.map((name, index) => ({
      client: aClient(index + 1, { name, createdAt: minute(50 - index) }),
      subscription: index % 2 === 0 ? null : aSubscription({ monthlyLimit: index }),
    }));
    for (const entry of entries.toReversed()) await clients.create(entry);

    expect(await clients.search(aClientQuery())).toEqual({ entries, totalCount: entries.length });
  },

  'search: orders by name, not by id': async (storage) => {
    for (const [n, name] of [
      [1, 'Gamma'],
      [3, 'Alpha'],
      [2, 'Beta'],
    ] as const) {
      await storage.clients.create({ client: aClient(n, { name }), subscription: null });
    }

    expect(await searched(storage)).toEqual({ names: ['Alpha', 'Beta', 'Gamma'], totalCount: 3 });
  },

  'search: breaks ties by id': async (storage) => {
    for (const [n, name] of [
      [3, 'Acme'],
      [1, 'ACME'],
      [2, 'acmé'],
    ] as const) {
      await storage.clients.create({ client: aClient(n, { name }), subscription: null });
    }

    expect(await searched(storage)).toEqual({ names: ['ACME', 'acmé', 'Acme'], totalCount: 3 });
    const after = { name: 'acme', id: clientId(1) };
    expect(await searched(storage, { after })).toEqual({ names: ['acmé', 'Acme'], totalCount: 3 });
  },

  'search: consecutive pages return every client once, whatever is created meanwhile': async (storage) => {
    await givenNames(storage, BY_NAME);
    const found: string[] = [];
    let after: ClientQuery['after'];
    for (let page = 0; page < 10; page += 1) {
      const { entries } = await storage.clients.search(aClientQuery({ after, limit: 3 }));
      found.push(...entries.map(({ client }) => client.name));
      const last = entries.at(-1)?.client;
      if (last === undefined) break;
      after = { name: last.name, id: last.id };
      const early = { client: aClient(50 + page, { name: '0' }), subscription: null };
      await storage.clients.create(early);
    }

    expect(found).toEqual(BY_NAME);
  },

  'search: finds the start of a name without case and accents': async (storage) => {
    await givenNames(storage, BY_NAME);

    const finds: readonly [prefix: string, ...names: string[]][] = [
      ['acme', 'Acme', 'ACME Bank', 'acme_bank'],
      ['ÁCME ', 'ACME Bank'],
      ['acme_', 'acme_bank'],
      ['apfel', 'Äpfel & Co'],
      ['a\u0308p', 'Äpfel & Co'],
      ['БАНК', 'Банк'],
      ['株', '株式会社'],
      ['😀', '😀'],
      ['bank'],
      ['a%'],
      ['*'],
      ['Acme Bank and more'],
      ['\u0000'],
    ];
    for (const [namePrefix, ...names] of finds) {
      expect(await searched(storage, { namePrefix }), namePrefix).toEqual({ names, totalCount: names.length });
    }
  },

  'search: goes on within the matches of a prefix': async (storage) => {
    await givenNames(storage, BY_NAME);
    const { entries } = await storage.clients.search(aClientQuery({ namePrefix: 'acme', limit: 2 }));
    const last = entries.at(-1)?.client ?? expect.fail('two clients');

    const after = { name: last.name, id: last.id };
    expect(await searched(storage, { namePrefix: 'acme', after })).toEqual({
      names: ['acme_bank'],
      totalCount: 3,
    });
    const early = { name: '', id: clientId(1) };
    expectCount((await searched(storage, { namePrefix: 'acme', after: early })).names, 3);
    const late = { name: 'zzz', id: clientId(1) };
    expect(await searched(storage, { namePrefix: 'acme', after: late })).toEqual({ names: [], totalCount: 3 });
  },

  'search: counts at least one more than it is asked to': async (storage) => {
    await givenNames(storage, BY_NAME);

    for (const countUpTo of [9, 10, 11]) {
      const { names, totalCount } = await searched(storage, { countUpTo, limit: 2 });
      expectCount(names, 2);
      if (countUpTo < BY_NAME.length) expect(totalCount).toBeGreaterThan(countUpTo);
      else expect(totalCount).toBe(BY_NAME.length);
    }
  },
});

async function givenNames({ clients }: Storage, names: readonly string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await clients.create({ client: aClient(index + 1, { name }), subscription: null });
  }
}

/** A query for every client. */
function aClientQuery(given: Partial<ClientQuery> = {}): ClientQuery {
  return { namePrefix: '', after: undefined, limit: 100, countUpTo: 1_000, ...given };
}

async function searched(
  { clients }: Storage,
  given: Partial<ClientQuery> = {},
): Promise<{ names: string[]; totalCount: number }> {
  const { entries, totalCount } = await clients.search(aClientQuery(given));
  return { names: entries.map(({ client }) => client.name), totalCount };
}
