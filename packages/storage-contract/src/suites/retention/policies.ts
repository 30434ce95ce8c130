import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce } from '../../records/at-once.ts';
import { aClient, givenClients } from '../../records/clients.ts';
import { clientId, verificationId } from '../../records/ids.ts';
import { aPolicy, NO_IDS } from '../../records/retention.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

const NONE = { policy: null, plannedBy: null, plannedAfter: null };
const PLAN = { plannedBy: 'P5Y … “Europe/Berlin” 😀', plannedAfter: verificationId(7) };

/** Policies of clients and how far their verifications were planned. */
export const policiesSuite: Suite = suiteGiven(
  'retention policies',
  (storage: Storage) => givenClients(storage, [1, 4]),
  {
    'ofClient: a client has no policy and no plan at first': async ({ retention }) => {
      expect(await retention.ofClient(clientId(1))).toEqual({ clientId: clientId(1), ...NONE });
    },

    'ofClient: an unknown client, and a text that cannot be an id, are null': async ({ retention }) => {
      for (const id of NO_IDS) expect(await retention.ofClient(id), id).toBeNull();
    },

    'setPolicy: stores a policy whole, replaces and removes it, and keeps the plan': async ({ retention }) => {
      await retention.setPlan({ clientId: clientId(1), ...PLAN });
      for (const policy of [aPolicy(), aPolicy({ rejected: 'P1Y2M3D', unfinished: 'P4W' }), null, aPolicy()]) {
        expect(await retention.setPolicy(clientId(1), policy)).toEqual({ outcome: 'changed' });
        expect(await retention.ofClient(clientId(1))).toEqual({ clientId: clientId(1), policy, ...PLAN });
      }
    },

    'setPolicy: of an unknown client, or a text that cannot be an id, changes nothing': async ({ retention }) => {
      const before = await retention.ofClients(null, 100);
      for (const id of NO_IDS)
        expect(await retention.setPolicy(id, aPolicy()), id).toEqual({ outcome: 'client_not_found' });
      expect(await retention.ofClients(null, 100)).toEqual(before);
    },

    'setPolicy: of many at once, one wins whole': async ({ retention }) => {
      const policies = Array.from({ length: 10 }, (_, n) =>
        aPolicy({ approvedAfterEnd: `P${n + 5}Y`, rejected: `P${n + 5}Y`, unfinished: `P${n}D` }),
      );

      await atOnce(10, (n) => retention.setPolicy(clientId(1), policies[n] ?? null));

      expect(policies).toContainEqual((await retention.ofClient(clientId(1)))?.policy);
    },

    'setPlan: stores how far a client was planned, and keeps the policy': async ({ retention }) => {
      await retention.setPolicy(clientId(1), aPolicy());
      for (const plan of [PLAN, { ...PLAN, plannedAfter: null }, { plannedBy: null, plannedAfter: null }, PLAN]) {
        await retention.setPlan({ clientId: clientId(1), ...plan });
        expect(await retention.ofClient(clientId(1))).toEqual({
          clientId: clientId(1),
          policy: aPolicy(),
          ...plan,
        });
      }
    },

    'setPlan: an unknown client gets no plan, also if it is created later': async ({ clients, retention }) => {
      await retention.setPlan({ clientId: clientId(7), ...PLAN });
      await clients.create({ client: aClient(7), subscription: null });

      expect(await retention.ofClient(clientId(7))).toEqual({ clientId: clientId(7), ...NONE });
    },

    'setPolicy, setPlan: leave other clients': async ({ retention }) => {
      await retention.setPolicy(clientId(2), aPolicy());
      await retention.setPlan({ clientId: clientId(3), ...PLAN });

      expect(await retention.ofClients(null, 100)).toEqual([
        { clientId: clientId(1), ...NONE },
        { clientId: clientId(2), ...NONE, policy: aPolicy() },
        { clientId: clientId(3), ...NONE, ...PLAN },
        { clientId: clientId(4), ...NONE },
      ]);
    },

    'ofClients: pages by id after the given client': async ({ retention }) => {
      const ids = async (after: string | null, limit: number) =>
        (await retention.ofClients(after, limit)).map((each) => each.clientId);

      expect(await ids(null, 2)).toEqual([1, 2].map(clientId));
      expect(await ids(clientId(2), 1)).toEqual([clientId(3)]);
      expect(await ids(clientId(3), 9)).toEqual([clientId(4)]);
      expect(await ids(clientId(4), 9)).toEqual([]);
    },
  },
);
