import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { clientId, minute } from '../records/ids.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

const ADDRESSES = ['https://shop.example/kyc', 'https://a.example/'];

/** Whether a client reads the files of its verifications. */
export const fileAccessSuite: Suite = suiteOf('file access', {
  'create: keeps whether the client reads files': async ({ clients }) => {
    const entries = [true, false].map((fileAccess, n) => ({
      client: aClient(n + 1, { fileAccess, createdAt: minute(1, n) }),
      subscription: n === 0 ? aSubscription() : null,
    }));
    for (const entry of entries) await clients.create(entry);

    expect(await clients.list()).toEqual(entries);
    const everyClient = { namePrefix: '', after: undefined, limit: 10, countUpTo: 10 };
    expect((await clients.search(everyClient)).entries).toEqual(expect.arrayContaining(entries));
    for (const entry of entries) expect(await clients.find(entry.client.id)).toEqual(entry);
  },

  'setFileAccess: switches the client and changes nothing else': async (storage) => {
    const others = { testOf: clientId(9), createdAt: minute(1, 23), returnAddresses: ADDRESSES };
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 7 }), others);
    await givenClient(storage, 2, null, { fileAccess: true });

    await expectUnchanged(storage, async () => {
      for (const fileAccess of [true, true, false, false]) {
        const client = aClient(1, { ...others, fileAccess });
        expect(await storage.clients.setFileAccess(clientId(1), fileAccess)).toEqual({
          outcome: 'changed',
          client,
        });
        expect((await storage.clients.find(clientId(1)))?.client).toEqual(client);
        expect((await storage.clients.find(clientId(2)))?.client).toEqual(aClient(2, { fileAccess: true }));
      }
    });
  },

  'setFileAccess: answers client_not_found for an unknown client and changes nothing': async (storage) => {
    await givenClients(storage, [1, 2]);

    await expectUnchanged(storage, async () => {
      for (const unknown of [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
        expect(await storage.clients.setFileAccess(unknown, true)).toEqual({ outcome: 'client_not_found' });
      }
    });
  },

  'setFileAccess: holds beside changes of the return addresses and the subscription at the same time': async (
    storage,
  ) => {
    await givenClients(storage, [1, 20]);

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => {
        const { setFileAccess, setReturnAddresses, changeSubscription } = storage.clients;
        const changes = [
          () => setFileAccess(clientId(n), true),
          () => setReturnAddresses(clientId(n), ADDRESSES),
          () => changeSubscription(clientId(n), { monthlyLimit: n }, null),
        ];
        return (n % 3 === 0 ? changes : changes.toReversed()).map((begin) => begin());
      }),
    );

    expect(tally(outcomes)).toEqual({ changed: 60 });
    expect((await storage.clients.list()).map(({ client }) => client)).toEqual(
      range(1, 20).map((n) => aClient(n, { fileAccess: true, returnAddresses: ADDRESSES })),
    );
  },
});
