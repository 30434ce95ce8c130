import type { Storage } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, endpointId, eventIdOf, minute } from '../records/ids.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import {
  due,
  dueIds,
  endpointNow,
  expectWebhooksUnchanged,
  fanOut,
  givenEndpoint,
  givenFirstClient,
  leaseEndpoints,
  leaseOf,
  logged,
  MUCH_LATER,
  NOW,
  settle,
  UNTIL,
} from '../records/webhooks.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const LOST = { outcome: 'lease_lost' };
const NONE: readonly WebhookEndpoint[] = [];
const ONE_MS_BEFORE = new Date(UNTIL.getTime() - 1);

/** Leases of endpoints: to one worker at a time, and only while something is due. */
export const endpointLeasesSuite: Suite = suiteGiven('leases of endpoints', givenFirstClient, {
  'lease: returns endpoints with due deliveries, unchanged': async (storage) => {
    const [first, second] = [
      await givenEndpoint(storage, 1, {
        failingSince: minute(1, 5),
        secret: { value: 'sealed', wrappedBy: 'key-1' },
        secretVersion: 3,
        previousSecret: { value: 'old', wrappedBy: null, validUntil: minute(9_999, 1) },
        olderSecret: { value: 'older', wrappedBy: 'key-2', validUntil: minute(9_998, 2) },
      }),
      await givenEndpoint(storage, 2, { types: ['verification.approved'] }),
    ];
    await givenVerification(storage, 1);
    expect(await leaseEndpoints(storage)).toEqual(NONE);
    await fanOut(storage);

    expect(await leaseEndpoints(storage)).toEqual([first]);
    expect(await storage.webhooks.list(clientId(1))).toEqual([first, second]);
  },

  'lease: returns active endpoints only': async (storage) => {
    const active = await givenEndpoint(storage, 1);
    await givenEndpoint(storage, 2);
    await givenEndpoint(storage, 3, { state: 'paused' });
    await givenVerification(storage, 1);
    await fanOut(storage);
    await storage.webhooks.change(clientId(1), endpointId(2), { state: 'paused' }, NOW);

    expect(await leaseEndpoints(storage)).toEqual([active]);

    for (const n of [2, 3]) await storage.webhooks.change(clientId(1), endpointId(n), { state: 'active' }, NOW);
    expect((await leaseEndpoints(storage, 2)).map(({ id }) => id).sort()).toEqual([2, 3].map(endpointId));
  },

  'lease: an endpoint is due when its first delivery is, to the millisecond': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);
    const retryAt = minute(6_000, 7);
    await settle(storage, endpoint, eventOf(aRecord(1)), { settlement: { state: 'waiting', dueAt: retryAt } });
    await storage.webhooks.release(leaseOf(endpoint, 1));

    const oneMsBefore = new Date(retryAt.getTime() - 1);
    expect(await leaseEndpoints(storage, 2, { now: oneMsBefore, until: MUCH_LATER })).toEqual(NONE);
    const leased = await leaseEndpoints(storage, 3, { now: retryAt, until: MUCH_LATER });
    expect(leased.map(({ id }) => id)).toEqual([endpoint.id]);
  },

  'lease: returns nothing when everything is delivered, released or not': async (storage) => {
    const endpoints = await givenDue(storage, 2);
    await leaseEndpoints(storage, 1);
    for (const each of endpoints) await settle(storage, each, eventOf(aRecord(1)));
    await storage.webhooks.release(leaseOf(endpoints[0], 1));

    expect(await leaseEndpoints(storage, 2, { now: MUCH_LATER, until: minute(20_000) })).toEqual(NONE);
  },

  'lease: returns those due longest first, up to its limit': async (storage) => {
    for (const n of range(1, 4)) await givenEndpoint(storage, n, { types: [] });
    for (const [n, order] of [3, 1, 4, 2].entries()) {
      const types = ['verification.created'] as const;
      await storage.webhooks.change(clientId(1), endpointId(order), { types }, NOW);
      await givenVerification(storage, n + 1);
      await fanOut(storage, { now: minute(100 + n) });
      await storage.webhooks.change(clientId(1), endpointId(order), { types: [] }, NOW);
    }
    const ids = async (token: number, limit: number) =>
      (await leaseEndpoints(storage, token, { limit })).map(({ id }) => id);

    expect(await ids(1, 1)).toEqual([endpointId(3)]);
    expect(await ids(2, 2)).toEqual([1, 4].map(endpointId));
    expect(await ids(3, 9)).toEqual([endpointId(2)]);
  },

  'lease: leaves out the endpoints in `except`, which count neither as leased nor toward the limit': async (
    storage,
  ) => {
    await givenDue(storage, 3);
    const [first, second, third] = [1, 2, 3].map(endpointId) as [string, string, string];
    const ids = async (token: number, except: readonly string[], limit: number) =>
      (await leaseEndpoints(storage, token, { except, limit })).map(({ id }) => id).sort();

    expect(await ids(1, [first, second, third], 9)).toEqual([]);
    expect(await ids(2, [first, 'unknown', endpointId(99)], 1)).toEqual([second]);
    expect(await ids(3, [second], 9)).toEqual([first, third]);
  },

  'lease: another worker waits for the end of the lease, to the millisecond': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);

    expect(await leaseEndpoints(storage, 2)).toEqual(NONE);
    expect(await leaseEndpoints(storage, 3, { now: ONE_MS_BEFORE, until: MUCH_LATER })).toEqual(NONE);
    expect(await leaseEndpoints(storage, 4, { now: UNTIL, until: MUCH_LATER })).toEqual([endpoint]);
  },

  'lease: holds after its end until another worker leases the endpoint': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);

    expect(await due(storage, endpoint, { now: MUCH_LATER })).not.toBe(null);
    expect(await settle(storage, endpoint, eventOf(aRecord(1)))).toEqual({ outcome: 'settled' });
    expect(await storage.webhooks.extend(leaseOf(endpoint), MUCH_LATER)).toEqual({ outcome: 'extended' });
  },

  'lease: everything is refused after another worker leased the endpoint': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    const event = eventOf(aRecord(1));
    await leaseEndpoints(storage, 1);
    await leaseEndpoints(storage, 2, { now: UNTIL, until: MUCH_LATER });

    await expectWebhooksUnchanged(storage, async () => {
      expect(await due(storage, endpoint)).toBe(null);
      expect(await settle(storage, endpoint, event)).toEqual(LOST);
      expect(await settle(storage, endpoint, event, { disable: true })).toEqual(LOST);
      expect(await storage.webhooks.extend(leaseOf(endpoint), minute(20_000))).toEqual(LOST);
      await storage.webhooks.release(leaseOf(endpoint));
    });
    expect(await leaseEndpoints(storage, 3, { now: new Date(MUCH_LATER.getTime() - 1) })).toEqual(NONE);
    expect(await dueIds(storage, endpoint, { token: 2 })).toEqual([event.id]);
    expect(await leaseEndpoints(storage, 4, { now: MUCH_LATER, until: minute(20_000) })).toEqual([endpoint]);
  },

  'lease: a lease is of one client’s endpoint': async (storage) => {
    await givenClient(storage, 2);
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);
    const foreign = { ...endpoint, clientId: clientId(2) };

    expect(await due(storage, foreign)).toBe(null);
    expect(await settle(storage, foreign, eventOf(aRecord(1)))).toEqual(LOST);
    expect(await storage.webhooks.extend(leaseOf(foreign), MUCH_LATER)).toEqual(LOST);
    await storage.webhooks.release(leaseOf(foreign));
    expect(await leaseEndpoints(storage, 2)).toEqual(NONE);
  },

  'extend: moves the end of the lease': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);
    const until = minute(6_000, 3);

    expect(await storage.webhooks.extend(leaseOf(endpoint), until)).toEqual({ outcome: 'extended' });

    expect(await leaseEndpoints(storage, 2, { now: new Date(until.getTime() - 1) })).toEqual(NONE);
    expect(await leaseEndpoints(storage, 3, { now: until, until: MUCH_LATER })).toEqual([endpoint]);
  },

  'release: the endpoint can be leased immediately, and the lease is lost': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);

    await storage.webhooks.release(leaseOf(endpoint));

    expect(await due(storage, endpoint)).toBe(null);
    expect(await storage.webhooks.extend(leaseOf(endpoint), MUCH_LATER)).toEqual(LOST);
    expect(await leaseEndpoints(storage, 2)).toEqual([endpoint]);
  },

  'lease: an endpoint that was released is due for new events': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);
    await settle(storage, endpoint, eventOf(aRecord(1)));
    await givenVerification(storage, 2);
    await fanOut(storage);

    await storage.webhooks.release(leaseOf(endpoint));

    expect(await leaseEndpoints(storage, 2)).toEqual([endpoint]);
    await storage.webhooks.release(leaseOf(endpoint, 2));
    await givenVerification(storage, 3);
    await fanOut(storage);
    expect(await leaseEndpoints(storage, 3)).toEqual([endpoint]);
    expect(await dueIds(storage, endpoint, { token: 3 })).toEqual([2, 3].map((n) => eventIdOf(aRecord(n))));
  },

  'lease: the lease of a removed endpoint is lost': async (storage) => {
    const [endpoint] = await givenDue(storage, 1);
    await leaseEndpoints(storage, 1);
    await storage.webhooks.remove(endpoint.clientId, endpoint.id);

    expect(await due(storage, endpoint)).toBe(null);
    expect(await settle(storage, endpoint, eventOf(aRecord(1)))).toEqual(LOST);
    expect(await storage.webhooks.extend(leaseOf(endpoint), MUCH_LATER)).toEqual(LOST);
  },
});

/** Endpoints 1 to `count`, each with a due delivery of the first verification’s first event. */
async function givenDue(
  storage: Storage,
  count: number,
): Promise<readonly [WebhookEndpoint, ...WebhookEndpoint[]]> {
  const first = await givenEndpoint(storage, 1);
  const others: WebhookEndpoint[] = [];
  for (const n of range(2, count)) others.push(await givenEndpoint(storage, n));
  await givenVerification(storage, 1);
  await fanOut(storage);
  return [first, ...others];
}

/** What the holder of a lease reads. */
export const dueDeliveriesSuite: Suite = suiteGiven(
  'due deliveries',
  async (storage: Storage) => {
    await givenClient(storage);
    return givenEndpoint(storage);
  },
  {
    'due: returns events whole, with the number of attempts': async (storage, endpoint) => {
      const record = aRecord(1);
      const event = eventOf(record, {
        actor: { kind: 'reviewer', id: 'reviewer “1”' },
        data: { reasonCodes: ['ä'] },
      });
      await createCharged(storage, record, { event });
      await fanOut(storage);
      await leaseEndpoints(storage);
      expect(await due(storage, endpoint)).toEqual([{ event, attempts: 0 }]);

      await settle(storage, endpoint, event, { settlement: { state: 'waiting', dueAt: NOW } });

      expect(await due(storage, endpoint)).toEqual([{ event, attempts: 1 }]);
    },

    'due: returns nothing before its time': async (storage, endpoint) => {
      const event = eventOf(await givenVerification(storage, 1));
      await fanOut(storage);
      await leaseEndpoints(storage);
      const dueAt = minute(5_003, 4);
      await settle(storage, endpoint, event, { settlement: { state: 'waiting', dueAt } });

      expect(await dueIds(storage, endpoint, { now: new Date(dueAt.getTime() - 1) })).toEqual([]);
      expect(await dueIds(storage, endpoint, { now: dueAt })).toEqual([event.id]);
    },

    'due: returns the lowest waiting version of each verification': async (storage, endpoint) => {
      const first = await givenVerification(storage, 1, { status: 'approved' });
      await givenVerification(storage, 2, { status: 'submitted' });
      await fanOut(storage);
      await leaseEndpoints(storage);
      const ids = range(1, 3).map((version) => eventIdOf({ ...first, version }));
      const other = eventIdOf(aRecord(2));
      const event = (version: number) => ({
        id: eventIdOf({ ...first, version }),
        verificationId: first.id,
        version,
      });

      expect(await dueIds(storage, endpoint)).toEqual([ids[0], other]);
      await settle(storage, endpoint, event(1));
      expect((await dueIds(storage, endpoint))?.sort()).toEqual([ids[1], other].sort());
      await settle(storage, endpoint, event(2), { settlement: { state: 'failed' } });
      expect((await dueIds(storage, endpoint))?.sort()).toEqual([ids[2], other].sort());
    },

    'due: a retry holds back later versions of its verification, and no other': async (storage, endpoint) => {
      const held = await givenVerification(storage, 1, { status: 'submitted' });
      const free = await givenVerification(storage, 2);
      await fanOut(storage);
      await leaseEndpoints(storage);
      const first = { id: eventIdOf({ ...held, version: 1 }), verificationId: held.id, version: 1 };
      await settle(storage, endpoint, first, { settlement: { state: 'waiting', dueAt: minute(7_000) } });

      expect(await dueIds(storage, endpoint)).toEqual([eventIdOf(free)]);
      expect(await dueIds(storage, endpoint, { now: minute(7_000) })).toEqual([eventIdOf(free), first.id]);
    },

    'due: leaves out the verifications in `except`': async (storage, endpoint) => {
      for (const n of range(1, 4)) await givenVerification(storage, n);
      await fanOut(storage);
      await leaseEndpoints(storage);
      const except = [aRecord(1), aRecord(3), aRecord(9)].map(({ id }) => id);

      expect(await dueIds(storage, endpoint, { except, limit: 1 })).toEqual([eventIdOf(aRecord(2))]);
      expect(await dueIds(storage, endpoint, { except })).toEqual([2, 4].map((n) => eventIdOf(aRecord(n))));
    },

    'due: returns those due longest first, then by time and id of the event, up to its limit': async (
      storage,
      endpoint,
    ) => {
      for (const n of [3, 2, 5]) await givenVerification(storage, n);
      await fanOut(storage, { now: minute(200) });
      for (const n of [4, 1]) await givenVerification(storage, n);
      await fanOut(storage, { now: minute(100) });
      await leaseEndpoints(storage);
      const ids = [1, 4, 2, 3, 5].map((n) => eventIdOf(aRecord(n)));

      expect(await dueIds(storage, endpoint)).toEqual(ids);
      expect(await dueIds(storage, endpoint, { limit: 3 })).toEqual(ids.slice(0, 3));
    },

    'due: returns deliveries of this endpoint only': async (storage, endpoint) => {
      const other = await givenEndpoint(storage, 2, { types: ['verification.submitted'] });
      const record = await givenVerification(storage, 1);
      await commit(storage, moved(record, 'submitted'));
      await fanOut(storage);
      await leaseEndpoints(storage);

      expect(await dueIds(storage, endpoint)).toEqual([eventIdOf(record)]);
      expect(await dueIds(storage, other)).toEqual([eventIdOf({ ...record, version: 2 })]);
    },

    'due: is null while the endpoint is not active': async (storage, endpoint) => {
      await givenVerification(storage, 1);
      await fanOut(storage);
      await leaseEndpoints(storage);

      for (const state of ['paused', 'active', 'disabled'] as const) {
        await storage.webhooks.change(endpoint.clientId, endpoint.id, { state }, NOW);
        const isSent = state === 'active';
        expect(await dueIds(storage, endpoint), state).toEqual(isSent ? [eventIdOf(aRecord(1))] : undefined);
      }
    },
  },
);

/** Many workers at once. */
export const endpointLeasesAtOnceSuite: Suite = suiteGiven('concurrent leases of endpoints', givenFirstClient, {
  'lease: each endpoint goes to one of many calls at once, and none is missed': async (storage) => {
    const ids = range(1, 10).map(endpointId);
    for (const n of range(1, 10)) await givenEndpoint(storage, n);
    await givenVerification(storage, 1);
    await fanOut(storage);

    const wave = await atOnce(12, (n) => leaseEndpoints(storage, n, { limit: 2 }));
    const rest = await leaseEndpoints(storage, 50);

    for (const leased of wave) expect(leased.length).toBeLessThanOrEqual(2);
    expect([...wave.flat(), ...rest].map(({ id }) => id).sort()).toEqual(ids);
    const held = await atOnce(12, (n) =>
      Promise.all((wave[n] ?? []).map((each) => due(storage, each, { token: n }))),
    );
    expect(held.flat().filter((each) => each === null)).toEqual([]);
  },

  'lease: one of many workers takes over a lease that ended': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1);
    await givenVerification(storage, 1);
    await fanOut(storage);
    await leaseEndpoints(storage, 1);

    const leased = await atOnce(12, (n) => leaseEndpoints(storage, 10 + n, { now: UNTIL, until: MUCH_LATER }));

    expect(leased.flat()).toEqual([endpoint]);
    const winner = leased.findIndex((each) => each.length > 0);
    expect(await due(storage, endpoint, { token: 10 + winner })).not.toBe(null);
    expect(await settle(storage, endpoint, eventOf(aRecord(1)))).toEqual(LOST);
  },

  'lease: deliveries made during a release are not overlooked': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1);
    for (const n of range(1, 12)) {
      await givenVerification(storage, n);
      if (n === 1) await fanOut(storage);
      const [leased] = await leaseEndpoints(storage, n);
      expect(leased?.id, `after ${n} events`).toBe(endpoint.id);
      for (const { event } of (await due(storage, endpoint, { token: n })) ?? [])
        await settle(storage, endpoint, event, { token: n });

      const next = givenVerification(storage, 100 + n).then(() => fanOut(storage));
      await Promise.all([next, storage.webhooks.release(leaseOf(endpoint, n))]);
    }
    expect(await endpointNow(storage)).toEqual(endpoint);
    const states = (await logged(storage, endpoint, 'state')).map(([, state]) => state);
    expect(states.filter((state) => state === 'waiting').length).toBeGreaterThan(0);
  },
});
