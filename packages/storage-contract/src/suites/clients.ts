import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients, givenSandbox } from '../records/clients.ts';
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
        sandbox: true,
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
      client: aClient(n, { createdAt: created, sandbox: n > 3 }),
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

/** The sandbox switch of a client. */
export const sandboxesSuite: Suite = suiteOf('sandboxes', {
  'setSandbox: switches the client and changes nothing else': async (storage) => {
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 7 }));
    await givenClient(storage, 2, null);

    await expectUnchanged(storage, async () => {
      for (const sandbox of [true, true, false, false]) {
        const client = aClient(1, { sandbox });
        expect(await storage.clients.setSandbox(clientId(1), sandbox)).toEqual({ outcome: 'changed', client });
        expect((await storage.clients.find(clientId(1)))?.client).toEqual(client);
        expect((await storage.clients.list()).map((each) => each.client)).toEqual([client, aClient(2)]);
      }
    });
  },

  'setSandbox: leaves the client’s verifications and keys': async (storage) => {
    const client = await givenSandbox(storage, 1);
    const subscription = aSubscription({ plan: 'enterprise', monthlyLimit: 7 });
    const { plan, monthlyLimit } = subscription;

    await storage.clients.changeSubscription(clientId(1), { plan, monthlyLimit }, null);
    expect(await storage.clients.find(clientId(1))).toEqual({ client, subscription });

    await storage.clients.setSandbox(clientId(1), false);
    expect(await storage.clients.find(clientId(1))).toEqual({ client: aClient(1), subscription });
  },

  'setSandbox: answers client_not_found for an unknown client and changes nothing': async (storage) => {
    await givenClients(storage, [1, 2]);

    await expectUnchanged(storage, async () => {
      for (const unknown of [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
        expect(await storage.clients.setSandbox(unknown, true)).toEqual({ outcome: 'client_not_found' });
      }
    });
  },

  'setSandbox: holds beside a change of the subscription at once': async (storage) => {
    await givenClients(storage, [1, 20]);

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => {
        const { setSandbox, changeSubscription } = storage.clients;
        const both = [
          () => setSandbox(clientId(n), true),
          () => changeSubscription(clientId(n), { monthlyLimit: n }, null),
        ];
        return (n % 3 === 0 ? both : both.toReversed()).map((begin) => begin());
      }),
    );

    expect(tally(outcomes)).toEqual({ changed: 40 });
    expect(await storage.clients.list()).toEqual(
      range(1, 20).map((n) => ({
        client: aClient(n, { sandbox: true }),
        subscription: aSubscription({ monthlyLimit: n }),
      })),
    );
  },
});
