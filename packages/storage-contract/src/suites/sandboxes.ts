import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients, givenSandbox } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** The switch that makes a client a sandbox. */
export const sandboxesSuite: Suite = suiteOf('sandboxes', {
  'a client is made a sandbox and an ordinary one again, and nothing else is touched': async (storage) => {
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 7 }));
    await givenClient(storage, 2, null);
    const before = await pictureOf(storage);

    for (const sandbox of [true, true, false, false]) {
      const client = aClient(1, { sandbox });
      expect(await storage.clients.setSandbox(clientId(1), sandbox)).toEqual({ outcome: 'changed', client });
      expect((await storage.clients.find(clientId(1)))?.client).toEqual(client);
      expect((await storage.clients.list()).map((each) => each.client)).toEqual([client, aClient(2)]);
    }

    expect(await pictureOf(storage)).toEqual(before);
  },

  'a sandbox has what it had before': async (storage) => {
    const client = await givenSandbox(storage, 1);
    const subscription = aSubscription({ plan: 'enterprise', monthlyLimit: 7 });
    const { plan, monthlyLimit } = subscription;

    await storage.clients.changeSubscription(clientId(1), { plan, monthlyLimit }, null);
    expect(await storage.clients.find(clientId(1))).toEqual({ client, subscription });

    await storage.clients.setSandbox(clientId(1), false);
    expect(await storage.clients.find(clientId(1))).toEqual({ client: aClient(1), subscription });
  },

  'an unknown client is told, and nothing is changed': async (storage) => {
    await givenClients(storage, 2);
    const before = await pictureOf(storage);

    for (const nobody of [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
      expect(await storage.clients.setSandbox(nobody, true)).toEqual({ outcome: 'client_not_found' });
    }

    expect(await pictureOf(storage)).toEqual(before);
  },

  'a switch and a change of the subscription at once both hold': async (storage) => {
    await givenClients(storage, 20);

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
