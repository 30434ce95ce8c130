import { RETURN_ADDRESSES_MAX, RETURN_URL_MAX } from '@countersign/domain/clients';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { clientId, minute } from '../records/ids.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Not in the order of their texts, and with every kind of character that an address can have. */
const ADDRESSES = [
  'https://shop.example/kyc',
  "https://a.example/~x/%C3%9F/-._!$&'()*+,;=:@",
  'https://shop.example/',
];

/** The longest list that a client can have. */
const LONGEST = range(1, RETURN_ADDRESSES_MAX).map((n) =>
  `https://shop.example/${n}/`.padEnd(RETURN_URL_MAX, 'x'),
);

/** The return addresses of a client, and what a verification keeps of its creation for the way back. */
export const returnAddressesSuite: Suite = suiteOf('return addresses', {
  'create: keeps the return addresses in their order': async ({ clients }) => {
    const client = aClient(1, { returnAddresses: ADDRESSES });
    await clients.create({ client, subscription: aSubscription() });

    expect((await clients.find(clientId(1)))?.client).toEqual(client);
    expect((await clients.list()).map((each) => each.client)).toEqual([client]);
  },

  'setReturnAddresses: replaces the list and changes nothing else': async (storage) => {
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 7 }), {
      testOf: clientId(9),
      createdAt: minute(1, 23),
    });
    await givenClient(storage, 2, null, { returnAddresses: ['https://other.example/'] });

    await expectUnchanged(storage, async () => {
      for (const returnAddresses of [ADDRESSES, ADDRESSES, LONGEST, ADDRESSES.slice(2), []]) {
        const client = aClient(1, { testOf: clientId(9), createdAt: minute(1, 23), returnAddresses });
        expect(await storage.clients.setReturnAddresses(clientId(1), returnAddresses)).toEqual({
          outcome: 'changed',
          client,
        });
        expect((await storage.clients.find(clientId(1)))?.client).toEqual(client);
      }
    });
  },

  'setReturnAddresses: answers client_not_found for an unknown client and changes nothing': async (storage) => {
    await givenClients(storage, [1, 2]);

    await expectUnchanged(storage, async () => {
      for (const unknown of [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
        const outcome = await storage.clients.setReturnAddresses(unknown, ADDRESSES);
        expect(outcome).toEqual({ outcome: 'client_not_found' });
      }
    });
  },

  'setReturnAddresses: of many at once, one list is kept whole, beside a change of the access to files': async (
    storage,
  ) => {
    await givenClient(storage);
    const lists = range(1, 10).map((n) => range(1, 11 - n).map((m) => `https://shop.example/${n}/${m}`));

    const outcomes = await Promise.all([
      ...lists.map((returnAddresses) => storage.clients.setReturnAddresses(clientId(1), returnAddresses)),
      storage.clients.setFileAccess(clientId(1), true),
    ]);

    expect(tally(outcomes)).toEqual({ changed: 11 });
    const client = (await storage.clients.find(clientId(1)))?.client;
    expect(client).toMatchObject({ fileAccess: true });
    expect(lists).toContainEqual(client?.returnAddresses);
  },

  'createCharged: keeps the return URL and the locale, which later changes leave': async (storage) => {
    await givenClient(storage);
    const returnUrl = `https://shop.example/kyc?order=7&name=%C3%9F&text=it's`.padEnd(RETURN_URL_MAX, 'x');
    const first = await givenVerification(storage, 1, { returnUrl, locale: 'zh-Hant-TW' });
    const second = await givenVerification(storage, 2, { locale: 'Größe “7” 😀' });
    const third = await givenVerification(storage, 3, { returnUrl: 'https://shop.example/' });
    await commit(storage, moved(first, 'submitted'));
    await storage.clients.setReturnAddresses(clientId(1), []);

    const [picture] = await pictureOf(storage);
    expect(picture?.verifications).toEqual([moved(first, 'submitted'), second, third]);
  },
});
