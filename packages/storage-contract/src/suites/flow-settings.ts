import { type FlowSettings, NEW_FLOW_SETTINGS, testTwinOf } from '@countersign/domain/clients';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { clientId, minute } from '../records/ids.ts';
import { givenKey, keyHash } from '../records/keys.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

const ADDRESSES = ['https://shop.example/kyc', 'https://a.example/'];

const LARGEST: FlowSettings = {
  placeOfBirth: true,
  proofOfAddress: true,
  minimumAge: 100,
  linkDays: 90,
  decisionWithin: 'days',
  readingIsAdvice: true,
  dueHours: 720,
  familyNameIndex: true,
  warningsInDetails: true,
};

/** Each value of each setting at least once, both switches apart from each other. */
const SETTINGS: readonly FlowSettings[] = [
  NEW_FLOW_SETTINGS,
  LARGEST,
  { ...NEW_FLOW_SETTINGS, placeOfBirth: true, minimumAge: 1, decisionWithin: 'minutes' },
  { ...NEW_FLOW_SETTINGS, proofOfAddress: true, linkDays: 1, decisionWithin: 'hours', dueHours: 1 },
  { ...LARGEST, placeOfBirth: false, minimumAge: null, decisionWithin: 'day', readingIsAdvice: false },
  { ...NEW_FLOW_SETTINGS, familyNameIndex: true },
  { ...NEW_FLOW_SETTINGS, warningsInDetails: true },
];

/** What a client asks of its subjects and tells them. */
export const flowSettingsSuite: Suite = suiteOf('flow settings', {
  'create: keeps the flow settings of a client and of its twin': async ({ clients }) => {
    const entries = SETTINGS.map((flowSettings, n) => ({
      client: aClient(n + 1, { flowSettings, createdAt: minute(1, n) }),
      subscription: n === 0 ? aSubscription() : null,
    }));
    for (const [n, entry] of entries.entries()) {
      const twin = testTwinOf(entry.client, { id: clientId(11 + n), createdAt: minute(2, n) });
      const test = { ...twin, flowSettings: SETTINGS.at(-1 - n) ?? NEW_FLOW_SETTINGS };
      await clients.create({ ...entry, test });
      expect(await clients.find(test.id)).toEqual({ client: test, subscription: null });
    }

    expect((await clients.list()).slice(0, entries.length)).toEqual(entries);
    const everyClient = { namePrefix: '', after: undefined, limit: 10, countUpTo: 10 };
    expect((await clients.search(everyClient)).entries).toEqual(entries);
    for (const entry of entries) expect(await clients.find(entry.client.id)).toEqual(entry);
  },

  'setFlowSettings: replaces all settings of the client and changes nothing else': async (storage) => {
    const others = { testOf: clientId(9), createdAt: minute(1, 23), returnAddresses: ADDRESSES, fileAccess: true };
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 7 }), others);
    await givenClient(storage, 2, null, { flowSettings: LARGEST });

    await expectUnchanged(storage, async () => {
      for (const flowSettings of [...SETTINGS, LARGEST, LARGEST, NEW_FLOW_SETTINGS]) {
        const client = aClient(1, { ...others, flowSettings });
        expect(await storage.clients.setFlowSettings(clientId(1), flowSettings)).toEqual({
          outcome: 'changed',
          client,
        });
        expect((await storage.clients.find(clientId(1)))?.client).toEqual(client);
        expect((await storage.clients.find(clientId(2)))?.client).toEqual(aClient(2, { flowSettings: LARGEST }));
      }
    });
  },

  'setFlowSettings: answers client_not_found for an unknown client and changes nothing': async (storage) => {
    await givenClients(storage, [1, 2]);

    await expectUnchanged(storage, async () => {
      for (const unknown of [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
        expect(await storage.clients.setFlowSettings(unknown, LARGEST)).toEqual({ outcome: 'client_not_found' });
      }
    });
  },

  'setFlowSettings: of two calls at the same time, one wins whole': async (storage) => {
    await givenClients(storage, [1, 20]);
    const both = [LARGEST, { ...NEW_FLOW_SETTINGS, minimumAge: 21, linkDays: 7 }];

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => both.map((settings) => storage.clients.setFlowSettings(clientId(n), settings))),
    );

    expect(tally(outcomes)).toEqual({ changed: 40 });
    for (const { client } of await storage.clients.list()) expect(both).toContainEqual(client.flowSettings);
  },

  'setFlowSettings: holds beside other changes of the client at the same time': async (storage) => {
    await givenClients(storage, [1, 20]);

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => {
        const { setFlowSettings, setFileAccess, setReturnAddresses } = storage.clients;
        const changes = [
          () => setFlowSettings(clientId(n), LARGEST),
          () => setFileAccess(clientId(n), true),
          () => setReturnAddresses(clientId(n), ADDRESSES),
        ];
        return (n % 3 === 0 ? changes : changes.toReversed()).map((begin) => begin());
      }),
    );

    expect(tally(outcomes)).toEqual({ changed: 60 });
    const changed = { fileAccess: true, returnAddresses: ADDRESSES, flowSettings: LARGEST };
    expect((await storage.clients.list()).map(({ client }) => client)).toEqual(
      range(1, 20).map((n) => aClient(n, changed)),
    );
  },

  'resolve: returns how long links of the key’s own client work': async (storage) => {
    await givenClient(storage, 1);
    await givenClient(storage, 2, null, { flowSettings: LARGEST });
    await givenKey(storage, 1);
    await givenKey(storage, 2, { clientId: clientId(2) });
    const linkDays = async (n: number) => (await storage.apiKeys.resolve(keyHash(n)))?.linkDays;
    expect([await linkDays(1), await linkDays(2)]).toEqual([null, 90]);

    await storage.clients.setFlowSettings(clientId(1), { ...NEW_FLOW_SETTINGS, linkDays: 7 });

    expect([await linkDays(1), await linkDays(2)]).toEqual([7, 90]);
  },
});
