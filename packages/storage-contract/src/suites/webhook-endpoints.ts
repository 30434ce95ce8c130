import type { EndpointChange, ExpectedEndpoint } from '@countersign/domain/storage';
import { MAX_WEBHOOK_ENDPOINTS, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, expectRejected, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, endpointId, minute } from '../records/ids.ts';
import { givenVerification } from '../records/verifications.ts';
import {
  anAttempt,
  anEndpoint,
  dueIds,
  endpointNow,
  expectWebhooksUnchanged,
  fanOut,
  givenEndpoint,
  givenFirstClient,
  leaseEndpoints,
  logged,
  logOf,
  NOW,
  settle,
} from '../records/webhooks.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const DIFFICULT: Partial<WebhookEndpoint> = {
  url: 'http://localhost:8080/päth?a=%20b&c="',
  name: 'Zoë’s “receiver” 😀',
  types: ['verification.rejected', 'verification.approved'],
  state: 'paused',
  since: minute(-3, 123),
  createdBy: 'user “7”',
  secret: { value: 'v1.AbC+/=', wrappedBy: 'Key-1' },
  secretVersion: 7,
  previousSecret: { value: 'whsec_old', wrappedBy: null, validUntil: minute(77, 1) },
  olderSecret: { value: 'v1.older', wrappedBy: 'key-2', validUntil: minute(76, 3) },
  failingSince: minute(9, 999),
};

/** Endpoints: stored unchanged, limited for each client, changed and removed by their client only. */
export const endpointsSuite: Suite = suiteGiven('webhook endpoints', givenFirstClient, {
  'add: stores every field unchanged': async (storage) => {
    const endpoints = [await givenEndpoint(storage, 1), await givenEndpoint(storage, 2, DIFFICULT)];

    expect(await storage.webhooks.list(clientId(1))).toEqual(endpoints);
  },

  'add: answers client_not_found for an unknown client': async (storage) => {
    const outcome = await storage.webhooks.add(anEndpoint(1, { clientId: clientId(2) }));

    expect(outcome).toEqual({ outcome: 'client_not_found' });
    expect(await storage.webhooks.list(clientId(2))).toEqual([]);
  },

  'add: rejects a taken id and keeps the first endpoint': async (storage) => {
    const first = await givenEndpoint(storage);

    const again = anEndpoint(2, { id: first.id });
    await expectRejected(storage.webhooks.add(again), 'add with the id of another endpoint');
    expect(await storage.webhooks.list(clientId(1))).toEqual([first]);
  },

  'add: counts endpoints in every state of the same client': async (storage) => {
    await givenClient(storage, 2);
    for (const n of range(1, MAX_WEBHOOK_ENDPOINTS))
      await givenEndpoint(storage, n, { state: n % 2 === 0 ? 'disabled' : 'paused' });

    await expectWebhooksUnchanged(storage, async () => {
      expect(await storage.webhooks.add(anEndpoint(20))).toEqual({ outcome: 'limit_reached' });
    });
    await givenEndpoint(storage, 21, { clientId: clientId(2) });
  },

  'add: takes the place of a removed endpoint': async (storage) => {
    for (const n of range(1, MAX_WEBHOOK_ENDPOINTS)) await givenEndpoint(storage, n);

    await storage.webhooks.remove(clientId(1), endpointId(4));

    await givenEndpoint(storage, 20);
    expect(await storage.webhooks.add(anEndpoint(21))).toEqual({ outcome: 'limit_reached' });
  },

  'list: returns the client’s endpoints, oldest first, then by id': async (storage) => {
    await givenClient(storage, 2);
    await givenEndpoint(storage, 9, { clientId: clientId(2) });
    for (const [n, at] of [
      [3, minute(2)],
      [1, minute(3)],
      [4, minute(2)],
      [2, minute(2, -1)],
    ] as const)
      await givenEndpoint(storage, n, { createdAt: at });

    const ids = (await storage.webhooks.list(clientId(1))).map(({ id }) => id);

    expect(ids).toEqual([2, 3, 4, 1].map(endpointId));
  },

  'change: sets the given fields and no others': async (storage) => {
    const first = await givenEndpoint(storage, 1);
    const second = await givenEndpoint(storage, 2, DIFFICULT);
    const change = { name: 'Renamed', types: ['verification.created'], failingSince: minute(1, 1) } as const;
    const { id: _, clientId: __, createdAt: ___, createdBy: ____, ...fields } = anEndpoint(2);

    const one = await storage.webhooks.change(clientId(1), endpointId(1), change, NOW);
    const name = await storage.webhooks.change(clientId(1), endpointId(2), { name: 'Renamed' }, NOW);
    const all = await storage.webhooks.change(clientId(1), endpointId(2), fields, NOW);

    const changed = [
      { ...first, ...change },
      { ...second, ...fields },
    ];
    expect(name).toEqual({ outcome: 'changed', endpoint: { ...second, name: 'Renamed' } });
    expect([one, all]).toEqual(changed.map((endpoint) => ({ outcome: 'changed', endpoint })));
    expect(await storage.webhooks.list(clientId(1))).toEqual(changed);
  },

  'change: answers not_found for an unknown endpoint and another client’s': async (storage) => {
    await givenClient(storage, 2);
    await givenEndpoint(storage, 1);

    await expectWebhooksUnchanged(storage, async () => {
      for (const [owner, n] of [
        [1, 2],
        [2, 1],
      ] as const) {
        const outcome = await storage.webhooks.change(clientId(owner), endpointId(n), { name: 'Mine' }, NOW);
        expect(outcome).toEqual({ outcome: 'not_found' });
      }
    });
  },

  'change: an endpoint that is as expected is changed': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1, { state: 'paused', secretVersion: 7 });
    const changes: readonly [EndpointChange, ExpectedEndpoint][] = [
      [{ name: 'One' }, { state: 'paused' }],
      [{ secretVersion: 8 }, { secretVersion: 7 }],
      [{ state: 'active' }, { state: 'paused', secretVersion: 8 }],
      [{ name: 'Two' }, {}],
    ];

    for (const [change, expected] of changes) {
      const result = await storage.webhooks.change(clientId(1), endpointId(1), change, NOW, expected);
      expect(result, JSON.stringify(expected)).toMatchObject({ outcome: 'changed', endpoint: change });
    }

    const last = { ...endpoint, name: 'Two', secretVersion: 8, state: 'active' };
    expect(await storage.webhooks.list(clientId(1))).toEqual([last]);
  },

  'change: answers conflict if the state or the version of the secret is another one': async (storage) => {
    await givenEndpoint(storage, 1, { secretVersion: 2 });
    const unexpected: readonly ExpectedEndpoint[] = [
      { state: 'paused' },
      { secretVersion: 1 },
      { secretVersion: 3 },
      { state: 'active', secretVersion: 1 },
      { state: 'disabled', secretVersion: 2 },
    ];

    await expectWebhooksUnchanged(storage, async () => {
      for (const change of [{ name: 'Renamed' }, { state: 'disabled' }] as const) {
        for (const expected of unexpected) {
          const outcome = await storage.webhooks.change(clientId(1), endpointId(1), change, NOW, expected);
          expect(outcome, JSON.stringify(expected)).toEqual({ outcome: 'conflict' });
        }
      }
    });
    const unknown = storage.webhooks.change(clientId(1), endpointId(2), { name: 'Renamed' }, NOW, {
      state: 'active',
    });
    expect(await unknown).toEqual({ outcome: 'not_found' });
  },

  'change: deliveries that wait for an endpoint that becomes active are due immediately': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1);
    const [retried, early] = [
      eventOf(await givenVerification(storage, 1)),
      eventOf(await givenVerification(storage, 2)),
    ];
    await fanOut(storage, { now: minute(4_000) });
    await leaseEndpoints(storage);
    await settle(storage, endpoint, retried, { settlement: { state: 'waiting', dueAt: minute(9_000) } });
    await storage.webhooks.change(clientId(1), endpoint.id, { state: 'paused' }, NOW);

    await storage.webhooks.change(clientId(1), endpoint.id, { state: 'active' }, minute(6_000, 5));

    expect(await logged(storage, endpoint, 'dueAt')).toEqual([
      [early.id, minute(4_000)],
      [retried.id, minute(6_000, 5)],
    ]);
  },

  'change: another field leaves due times alone': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1);
    const event = eventOf(await givenVerification(storage, 1));
    await fanOut(storage, { now: MUCH });

    await storage.webhooks.change(clientId(1), endpoint.id, { name: 'Renamed', state: 'active' }, NOW);

    expect(await logged(storage, endpoint, 'dueAt')).toEqual([[event.id, MUCH]]);
  },

  'change: deliveries that wait for an endpoint that becomes disabled fail': async (storage) => {
    const [first, second] = [await givenEndpoint(storage, 1), await givenEndpoint(storage, 2)];
    const [delivered, waiting] = [
      eventOf(await givenVerification(storage, 1)),
      eventOf(await givenVerification(storage, 2)),
    ];
    await fanOut(storage);
    await leaseEndpoints(storage);
    await settle(storage, first, delivered);

    await storage.webhooks.change(clientId(1), first.id, { state: 'disabled' }, NOW);

    expect(await logged(storage, first, 'state')).toEqual([
      [waiting.id, 'failed'],
      [delivered.id, 'delivered'],
    ]);
    expect(await logged(storage, first, 'dueAt')).toEqual([
      [waiting.id, null],
      [delivered.id, null],
    ]);
    expect(await dueIds(storage, second)).toEqual([delivered.id, waiting.id]);
  },

  'remove: deletes the endpoint with its deliveries, and no others': async (storage) => {
    const [first, second] = [await givenEndpoint(storage, 1), await givenEndpoint(storage, 2)];
    const event = eventOf(await givenVerification(storage, 1));
    await fanOut(storage);
    await leaseEndpoints(storage);
    for (const [index, endpoint] of [first, second].entries())
      await settle(storage, endpoint, event, { attempt: anAttempt(index) });

    expect(await storage.webhooks.remove(clientId(1), first.id)).toEqual({ outcome: 'removed' });

    expect(await storage.webhooks.list(clientId(1))).toEqual([second]);
    expect(await logOf(storage, first)).toEqual([]);
    expect(await storage.webhooks.attempts(clientId(1), first.id, event.id)).toBe(null);
    expect(await logged(storage, second, 'state')).toEqual([[event.id, 'delivered']]);
    expect(await storage.webhooks.attempts(clientId(1), second.id, event.id)).toEqual([anAttempt(1)]);
    // An endpoint of the same id finds nothing of the first one.
    await givenEndpoint(storage, 1);
    expect(await logOf(storage, first)).toEqual([]);
  },

  'remove: answers not_found for an unknown endpoint and another client’s': async (storage) => {
    await givenClient(storage, 2);
    await givenEndpoint(storage, 1);
    await givenEndpoint(storage, 2, { clientId: clientId(2) });
    await storage.webhooks.remove(clientId(2), endpointId(2));

    await expectWebhooksUnchanged(storage, async () => {
      for (const [owner, n] of [
        [2, 1],
        [2, 2],
        [1, 3],
      ] as const)
        expect(await storage.webhooks.remove(clientId(owner), endpointId(n))).toEqual({ outcome: 'not_found' });
    });
  },
});

const MUCH: Date = minute(8_000);

/** Many calls at once for one client. */
export const endpointsAtOnceSuite: Suite = suiteGiven('concurrent webhook endpoints', givenFirstClient, {
  'add: of many at once, as many as there are free places are added': async (storage) => {
    await givenClient(storage, 2);
    for (const n of [1, 2, 3]) await givenEndpoint(storage, n);
    const free = MAX_WEBHOOK_ENDPOINTS - 3;

    const outcomes = await atOnce(30, (n) => storage.webhooks.add(anEndpoint(10 + n)));

    expect(tally(outcomes)).toEqual({ added: free, limit_reached: 30 - free });
    const stored = await storage.webhooks.list(clientId(1));
    const added = outcomes.flatMap(({ outcome }, n) => (outcome === 'added' ? [endpointId(10 + n)] : []));
    expect(stored.map(({ id }) => id)).toEqual([...[1, 2, 3].map(endpointId), ...added]);
  },

  'change: of many at once for different fields, all stay': async (storage) => {
    await givenEndpoint(storage, 1);
    const changes = [
      { name: 'Renamed' },
      { url: 'https://moved.example' },
      { types: ['verification.approved'] },
      { failingSince: minute(1) },
      { since: minute(2) },
    ] as const;

    await Promise.all(changes.map((change) => storage.webhooks.change(clientId(1), endpointId(1), change, NOW)));

    expect(await endpointNow(storage)).toEqual(Object.assign({}, anEndpoint(1), ...changes));
  },

  'change: of many at once that expect the same secret, one changes': async (storage) => {
    await givenEndpoint(storage, 1);
    const rotate = (n: number) =>
      storage.webhooks.change(
        clientId(1),
        endpointId(1),
        { secret: { value: `whsec_${n}`, wrappedBy: null }, secretVersion: 2 },
        NOW,
        { secretVersion: 1 },
      );

    const outcomes = await atOnce(20, rotate);

    expect(tally(outcomes)).toEqual({ changed: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'changed');
    expect((await endpointNow(storage)).secret.value).toBe(`whsec_${winner}`);
  },

  'change: of many at once that expect the same state, one changes': async (storage) => {
    await givenEndpoint(storage, 1);
    const move = (n: number) =>
      storage.webhooks.change(
        clientId(1),
        endpointId(1),
        { state: n % 2 === 0 ? 'paused' : 'disabled', name: `${n}` },
        NOW,
        { state: 'active' },
      );

    const outcomes = await atOnce(20, move);

    expect(tally(outcomes)).toEqual({ changed: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'changed');
    expect(await endpointNow(storage)).toMatchObject({
      name: `${winner}`,
      state: winner % 2 === 0 ? 'paused' : 'disabled',
    });
  },

  'remove: of many at once, one removes': async (storage) => {
    await givenEndpoint(storage, 1);

    const outcomes = await atOnce(20, () => storage.webhooks.remove(clientId(1), endpointId(1)));

    expect(tally(outcomes)).toEqual({ removed: 1, not_found: 19 });
  },
});
