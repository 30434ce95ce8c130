import { type Client, testTwinOf } from '@countersign/domain/clients';
import { RETENTION_PERIODS, type RetentionPolicy } from '@countersign/domain/retention';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { clientId, minute } from '../records/ids.ts';
import { givenKey, keyHash } from '../records/keys.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** What the `n`th client becomes as a twin: its id and its creation. */
const asTwin = (n: number) => ({ id: clientId(n), createdAt: minute(60 + n, n) });

const everyClient = { namePrefix: '', after: undefined, limit: 100, countUpTo: 1_000 };

/** The test twin of a client. */
export const testTwinsSuite: Suite = suiteOf('test twins', {
  'create: inserts a client together with its test twin': async ({ clients }) => {
    const client = aClient(1, {
      name: 'Zoë % _ \' " \\',
      fileAccess: true,
      returnAddresses: ['https://a.example/'],
    });
    const test = testTwinOf(client, asTwin(2));

    const entry = { client, subscription: aSubscription() };
    expect(await clients.create({ ...entry, test })).toEqual({ outcome: 'created' });

    expect(await clients.find(clientId(1))).toEqual(entry);
    expect(await clients.find(clientId(2))).toEqual({ client: test, subscription: null });
    expect(await clients.list()).toEqual([entry, { client: test, subscription: null }]);
    expect(await clients.testTwin(clientId(1), asTwin(3))).toEqual(test);
  },

  'create: keeps the return addresses of a twin': async ({ clients }) => {
    const twin = {
      ...testTwinOf(aClient(1), asTwin(2)),
      returnAddresses: ['https://b.example/', 'https://a.example/x'],
    };

    await clients.create({ client: aClient(1), subscription: null, test: twin });

    expect((await clients.find(clientId(2)))?.client).toEqual(twin);
  },

  'create: with a taken id inserts no twin': async (storage) => {
    await givenClient(storage, 1);

    await expectUnchanged(storage, async () => {
      const test = testTwinOf(aClient(1), asTwin(2));
      expect(await storage.clients.create({ client: aClient(1), subscription: null, test })).toEqual({
        outcome: 'exists',
      });
    });
  },

  'create: of many at once with one id, the winner has one twin': async ({ clients }) => {
    const outcomes = await Promise.all(
      range(2, 21).map((n) =>
        clients.create({ client: aClient(1), subscription: null, test: testTwinOf(aClient(1), asTwin(n)) }),
      ),
    );

    expect(tally(outcomes)).toEqual({ created: 1, exists: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'created') + 2;
    expect((await clients.list()).map(({ client }) => client)).toEqual([
      aClient(1),
      testTwinOf(aClient(1), asTwin(winner)),
    ]);
  },

  'testTwin: makes a missing one once, with the name of its client, and no subscription': async (storage) => {
    await givenClient(storage, 1, aSubscription(), { name: 'Acme', fileAccess: true });
    const { clients } = storage;
    const client = aClient(1, { name: 'Acme', fileAccess: true });
    const twin = testTwinOf(client, asTwin(2));

    expect(await clients.testTwin(clientId(1), asTwin(2))).toEqual(twin);
    expect(await clients.testTwin(clientId(1), asTwin(3))).toEqual(twin);

    expect(await clients.find(clientId(1))).toEqual({ client, subscription: aSubscription() });
    expect(await clients.find(clientId(2))).toEqual({ client: twin, subscription: null });
    expect(await clients.find(clientId(3))).toBeNull();
  },

  'testTwin: many at once for one client find one twin': async (storage) => {
    await givenClients(storage, [1, 2]);

    const found = await Promise.all(
      range(3, 32).map((n) => storage.clients.testTwin(clientId(1 + (n % 2)), asTwin(n))),
    );

    const idsOf = (live: string): Set<string | undefined> =>
      new Set(found.filter((twin) => twin?.testOf === live).map((twin) => twin?.id));
    expect([idsOf(clientId(1)).size, idsOf(clientId(2)).size]).toEqual([1, 1]);
    expectCount(await twinsIn(storage), 2);
    expect(found).not.toContain(null);
  },

  'testTwin: an unknown client and a twin have none': async (storage) => {
    const test = testTwinOf(aClient(1), asTwin(2));
    await storage.clients.create({ client: aClient(1), subscription: null, test });

    await expectUnchanged(storage, async () => {
      for (const id of [clientId(2), clientId(9), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
        expect(await storage.clients.testTwin(id, asTwin(3)), id).toBeNull();
      }
    });
  },

  'search: leaves test twins out of page and count': async (storage) => {
    await givenClients(storage, [1, 3]);
    for (const n of [1, 2, 3]) await storage.clients.testTwin(clientId(n), asTwin(10 + n));

    const { entries, totalCount } = await storage.clients.search(everyClient);
    expect(entries.map(({ client }) => client)).toEqual([1, 2, 3].map((n) => aClient(n)));
    expect(totalCount).toBe(3);
    const first = await storage.clients.search({ ...everyClient, limit: 2 });
    const after = first.entries.at(-1)?.client;
    const next = await storage.clients.search({ ...everyClient, after });
    expect(next.entries.map(({ client }) => client)).toEqual([aClient(3)]);
    expect(next.totalCount).toBe(3);
  },

  'names: says whose test twin a client is': async (storage) => {
    await givenClient(storage, 1);
    await storage.clients.testTwin(clientId(1), asTwin(2));

    const { name } = aClient(1);
    expect(await storage.clients.names([clientId(2), clientId(1)])).toEqual(
      new Map([
        [clientId(1), { name, testOf: null, dueHours: null }],
        [clientId(2), { name, testOf: clientId(1), dueHours: null }],
      ]),
    );
  },

  'resolve: says whose test twin the client of a key is': async (storage) => {
    await givenClient(storage, 1);
    await storage.clients.testTwin(clientId(1), asTwin(2));
    const live = await givenKey(storage, 1);
    const test = await givenKey(storage, 2, { clientId: clientId(2) });

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({
      key: live,
      subscription: aSubscription(),
      testOf: null,
      linkDays: null,
    });
    expect(await storage.apiKeys.resolve(keyHash(2))).toEqual({
      key: test,
      subscription: null,
      testOf: clientId(1),
      linkDays: null,
    });
  },

  'ofClient: a test twin has the policy of its client, and a plan of its own': async (storage) => {
    const { retention, clients } = storage;
    await givenClients(storage, [1, 2]);
    await clients.testTwin(clientId(1), asTwin(3));
    await retention.setPolicy(clientId(1), POLICY);
    await retention.setPlan({ clientId: clientId(3), plannedBy: 'a plan', plannedAfter: null });

    const live = { clientId: clientId(1), policy: POLICY, plannedBy: null, plannedAfter: null };
    const other = { clientId: clientId(2), policy: null, plannedBy: null, plannedAfter: null };
    const twin = { clientId: clientId(3), policy: POLICY, plannedBy: 'a plan', plannedAfter: null };
    expect(await retention.ofClients(null, 10)).toEqual([live, other, twin]);
    expect(await retention.ofClient(clientId(3))).toEqual(twin);

    await retention.setPolicy(clientId(1), null);
    expect(await retention.ofClient(clientId(3))).toEqual({ ...twin, policy: null });
  },

  'setPolicy: a policy that is set for a test twin has no effect': async (storage) => {
    await givenClient(storage, 1);
    await storage.clients.testTwin(clientId(1), asTwin(2));

    await storage.retention.setPolicy(clientId(2), POLICY);

    const policies = (await storage.retention.ofClients(null, 10)).map(({ policy }) => policy);
    expect(policies).toEqual([null, null]);
  },
});

const POLICY = Object.fromEntries(RETENTION_PERIODS.map((period) => [period, 'P7Y'])) as RetentionPolicy;

async function twinsIn({ clients }: Storage): Promise<readonly Client[]> {
  return (await clients.list()).map(({ client }) => client).filter(({ testOf }) => testOf !== null);
}
