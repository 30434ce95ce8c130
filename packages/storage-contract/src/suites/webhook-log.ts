import type { VerificationEvent } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, endpointId, eventId, eventIdOf, minute } from '../records/ids.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import {
  anAttempt,
  dueIds,
  expectWebhooksUnchanged,
  fanOut,
  givenEndpoint,
  givenFirstClient,
  leaseEndpoints,
  leaseOf,
  logged,
  logOf,
  MUCH_LATER,
  NOW,
  settle,
} from '../records/webhooks.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const ofVerification = (n: number): VerificationEvent => eventOf(aRecord(n));

/**
 * An endpoint whose deliveries 1 to 6 are due; 1 and 2 are delivered, 3 and 4 failed, 5 and 6 wait. Another one of a second
 * client has no deliveries.
 */
async function givenLog(storage: Storage): Promise<WebhookEndpoint> {
  await givenClient(storage);
  await givenClient(storage, 2);
  const endpoint = await givenEndpoint(storage);
  await givenEndpoint(storage, 9, { clientId: clientId(2) });
  for (const n of [5, 2, 6, 1, 3, 4]) await givenVerification(storage, n);
  await fanOut(storage);
  await leaseEndpoints(storage);
  for (const n of range(1, 4)) {
    const state = n < 3 ? 'delivered' : 'failed';
    await settle(storage, endpoint, ofVerification(n), { attempt: anAttempt(n), settlement: { state } });
  }
  return endpoint;
}

const idsOf = (...numbers: number[]): string[] => numbers.map((n) => eventIdOf(aRecord(n)));

/** The log of an endpoint: pages of deliveries, their attempts, and sending them again. */
export const webhookLogSuite: Suite = suiteGiven('webhook log', givenLog, {
  'deliveries: returns the newest first, by state and page': async (storage, endpoint) => {
    const page = async (given: Parameters<typeof logOf>[2]) =>
      (await logOf(storage, endpoint, given)).map((entry) => entry.eventId);
    const after = (n: number) => ({ at: ofVerification(n).at, eventId: ofVerification(n).id });

    expect(await page({})).toEqual(idsOf(6, 5, 4, 3, 2, 1));
    expect(await page({ limit: 2 })).toEqual(idsOf(6, 5));
    expect(await page({ after: after(5), limit: 3 })).toEqual(idsOf(4, 3, 2));
    expect(await page({ after: after(1) })).toEqual([]);
    expect(await page({ state: 'waiting' })).toEqual(idsOf(6, 5));
    expect(await page({ state: 'failed', limit: 1 })).toEqual(idsOf(4));
    expect(await page({ state: 'delivered', after: after(4), limit: 1 })).toEqual(idsOf(2));
  },

  'deliveries: of one moment come by descending id': async (storage, endpoint) => {
    for (const n of [12, 11, 13]) {
      const record = aRecord(n);
      await createCharged(storage, record, { event: eventOf(record, { id: eventId(n), at: minute(50) }) });
    }
    await fanOut(storage);
    const after = (n: number) => ({ at: minute(50), eventId: eventId(n) });

    const [first] = await logOf(storage, endpoint, { limit: 1 });
    const next = await logOf(storage, endpoint, { after: after(13), limit: 2 });
    const between = await logOf(storage, endpoint, { after: after(12), limit: 1 });

    expect(first?.eventId).toBe(eventId(13));
    expect(next.map((entry) => entry.eventId)).toEqual([12, 11].map(eventId));
    expect(between.map((entry) => entry.eventId)).toEqual([eventId(11)]);
  },

  'deliveries: another client finds nothing': async (storage, { id }) => {
    expect(await logOf(storage, { id, clientId: clientId(2) })).toEqual([]);
    expect(await storage.webhooks.attempts(clientId(2), id, ofVerification(1).id)).toBe(null);
  },

  'attempts: is null for an event that was not delivered to the endpoint': async (storage, { id }) => {
    const unsent = await givenVerification(storage, 7);

    expect(await storage.webhooks.attempts(clientId(1), id, eventIdOf(unsent))).toBe(null);
    expect(await storage.webhooks.attempts(clientId(1), endpointId(7), ofVerification(1).id)).toBe(null);
    expect(await storage.webhooks.attempts(clientId(1), id, ofVerification(5).id)).toEqual([]);
  },

  'resend: one delivery waits again without attempts, and its log stays': async (storage, { id }) => {
    const [endpoint] = await storage.webhooks.list(clientId(1));
    for (const n of [2, 3]) {
      const which = { eventId: ofVerification(n).id };
      const outcome = await storage.webhooks.resend({ clientId: clientId(1), endpointId: id, which, now: NOW });
      expect(outcome).toEqual({ outcome: 'resent', count: 1 });
      const entry = (await logOf(storage, { id, clientId: clientId(1) })).find(
        ({ eventId }) => eventId === which.eventId,
      );
      expect([entry?.state, entry?.attempts, entry?.dueAt]).toEqual(['waiting', 0, NOW]);
      expect(await storage.webhooks.attempts(clientId(1), id, which.eventId)).toEqual([anAttempt(n)]);
    }
    expect(endpoint === undefined ? [] : await dueIds(storage, endpoint)).toEqual(idsOf(2, 3, 5, 6));
  },

  'resend: a waiting delivery stays as it is': async (storage, endpoint) => {
    const event = ofVerification(5);
    await settle(storage, endpoint, event, {
      attempt: anAttempt(9),
      settlement: { state: 'waiting', dueAt: NOW },
    });

    await expectWebhooksUnchanged(storage, async () => {
      for (const which of [{ eventId: event.id }, { eventId: eventId(77) }, { since: minute(5) }]) {
        const request = { clientId: clientId(1), endpointId: endpoint.id, which, now: minute(6_000) };
        expect(await storage.webhooks.resend(request)).toEqual({ outcome: 'resent', count: 0 });
      }
    });
  },

  'resend: all since a moment, to the millisecond': async (storage, endpoint) => {
    const request = { clientId: clientId(1), endpointId: endpoint.id, now: minute(6_000) };

    const late = await storage.webhooks.resend({ ...request, which: { since: minute(3, 1) } });
    expect(late).toEqual({ outcome: 'resent', count: 1 });
    const exact = await storage.webhooks.resend({ ...request, which: { since: minute(2) } });
    expect(exact).toEqual({ outcome: 'resent', count: 2 });

    expect((await logged(storage, endpoint, 'state')).map(([, state]) => state)).toEqual([
      ...range(1, 5).map(() => 'waiting'),
      'delivered',
    ]);
    expect(await dueIds(storage, endpoint, { now: minute(6_000) })).toEqual(idsOf(5, 6, 2, 3, 4));
  },

  'resend: the endpoint is due for what is sent again': async (storage, endpoint) => {
    for (const n of [5, 6]) await settle(storage, endpoint, ofVerification(n), { attempt: anAttempt(n) });
    await storage.webhooks.release(leaseOf(endpoint));
    expect(await leaseEndpoints(storage, 2)).toEqual([]);

    const which = { eventId: ofVerification(1).id };
    await storage.webhooks.resend({ clientId: clientId(1), endpointId: endpoint.id, which, now: NOW });

    expect((await leaseEndpoints(storage, 3)).map(({ id }) => id)).toEqual([endpoint.id]);
  },

  'resend: is due no earlier than an earlier version that waits': async (storage, endpoint) => {
    const first = await givenVerification(storage, 20, { status: 'submitted' });
    await fanOut(storage);
    const [one, two] = [1, 2].map((version) =>
      eventOf({ ...first, version }, { id: eventIdOf({ ...first, version }) }),
    );
    if (one === undefined || two === undefined) throw new Error('two events');
    await settle(storage, endpoint, one, { attempt: anAttempt(8) });
    await settle(storage, endpoint, two, { attempt: anAttempt(9) });
    const request = { clientId: clientId(1), endpointId: endpoint.id };
    await storage.webhooks.resend({ ...request, which: { eventId: one.id }, now: minute(8_000) });

    await storage.webhooks.resend({ ...request, which: { eventId: two.id }, now: NOW });

    const times = new Map(await logged(storage, endpoint, 'dueAt'));
    expect([times.get(one.id), times.get(two.id)]).toEqual([minute(8_000), minute(8_000)]);
  },

  'resend: the delivery is due immediately although a later version waits longer': async (storage, endpoint) => {
    const first = await givenVerification(storage, 20, { status: 'submitted' });
    await fanOut(storage);
    const one = eventOf({ ...first, version: 1 });
    await settle(storage, endpoint, one, { attempt: anAttempt(8) });
    const retry = { state: 'waiting', dueAt: minute(9_000) } as const;
    await settle(storage, endpoint, eventOf(first), { attempt: anAttempt(9), settlement: retry });

    const which = { eventId: one.id };
    await storage.webhooks.resend({ clientId: clientId(1), endpointId: endpoint.id, which, now: NOW });

    const times = new Map(await logged(storage, endpoint, 'dueAt'));
    expect([times.get(one.id), times.get(eventIdOf(first))]).toEqual([NOW, minute(9_000)]);
    const sooner = { state: 'waiting', dueAt: minute(7_000) } as const;
    await settle(storage, endpoint, one, { attempt: anAttempt(10), settlement: sooner });
    expect(new Map(await logged(storage, endpoint, 'dueAt')).get(eventIdOf(first))).toEqual(minute(9_000));
  },

  'resend: is refused for a disabled endpoint, an unknown one and another client’s': async (storage, endpoint) => {
    await storage.webhooks.change(clientId(1), endpoint.id, { state: 'disabled' }, NOW);

    await expectWebhooksUnchanged(storage, async () => {
      for (const [owner, id, outcome] of [
        [1, endpoint.id, 'disabled'],
        [2, endpoint.id, 'not_found'],
        [1, endpointId(7), 'not_found'],
      ] as const)
        for (const which of [{ since: minute(0) }, { eventId: ofVerification(1).id }]) {
          const request = { clientId: clientId(owner), endpointId: id, which, now: NOW };
          expect(await storage.webhooks.resend(request)).toEqual({ outcome });
        }
    });
  },

  'resend: of many at once, each delivery is counted once': async (storage, endpoint) => {
    const request = { clientId: clientId(1), endpointId: endpoint.id, which: { since: minute(0) }, now: NOW };

    const outcomes = await atOnce(8, () => storage.webhooks.resend(request));

    const counts = outcomes.map((each) => (each.outcome === 'resent' ? each.count : -1));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  },

  'forget: deletes deliveries before a moment that do not wait, with their attempts': async (
    storage,
    endpoint,
  ) => {
    expect(await storage.webhooks.forget({ before: minute(3), limit: 100 })).toBe(2);
    expect(await logged(storage, endpoint, 'state')).toEqual([
      ...idsOf(6, 5).map((id) => [id, 'waiting']),
      ...idsOf(4, 3).map((id) => [id, 'failed']),
    ]);
    expect(await storage.webhooks.attempts(clientId(1), endpoint.id, ofVerification(1).id)).toBe(null);
    expect(await storage.webhooks.attempts(clientId(1), endpoint.id, ofVerification(3).id)).toEqual([
      anAttempt(3),
    ]);

    expect(await storage.webhooks.forget({ before: MUCH_LATER, limit: 100 })).toBe(2);
    expect((await logOf(storage, endpoint)).map((entry) => entry.eventId)).toEqual(idsOf(6, 5));
    // The events stay in the history.
    expect(await storage.verifications.findWithHistory(clientId(1), aRecord(1).id)).not.toBe(null);
    expect(await fanOut(storage)).toBe(0);
  },

  'forget: deletes up to its limit of all clients': async (storage, endpoint) => {
    const other = await givenEndpoint(storage, 8, { clientId: clientId(2) });
    await givenVerification(storage, 30, { clientId: clientId(2) });
    await fanOut(storage);
    await leaseEndpoints(storage, 5);
    await settle(storage, other, ofVerification(30), { token: 5, attempt: anAttempt(30) });

    expect(await storage.webhooks.forget({ before: MUCH_LATER, limit: 3 })).toBe(3);
    expect(await storage.webhooks.forget({ before: MUCH_LATER, limit: 3 })).toBe(2);
    expect(await storage.webhooks.forget({ before: MUCH_LATER, limit: 3 })).toBe(0);
    expect([await logOf(storage, endpoint), await logOf(storage, other)].map(({ length }) => length)).toEqual([
      2, 0,
    ]);
  },
});

/** The number that the metric shows. */
export const backlogSuite: Suite = suiteGiven('webhook backlog', givenFirstClient, {
  'backlog: is empty without endpoints': async (storage) => {
    await givenVerification(storage, 1);

    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 0, oldestAt: null });
  },

  'countPausedAfterFailures: counts paused endpoints of all clients that were failing': async (storage) => {
    await givenClient(storage, 2);
    const since = { failingSince: minute(1) };
    await givenEndpoint(storage, 1, { state: 'paused', ...since });
    await givenEndpoint(storage, 2, { state: 'paused' });
    await givenEndpoint(storage, 3, since);
    await givenEndpoint(storage, 4, { state: 'disabled', ...since });
    expect(await storage.webhooks.countPausedAfterFailures()).toBe(1);
    await givenEndpoint(storage, 5, { clientId: clientId(2), state: 'paused', ...since });
    expect(await storage.webhooks.countPausedAfterFailures()).toBe(2);
    await storage.webhooks.change(clientId(1), endpointId(1), { state: 'active', failingSince: null }, NOW);
    expect(await storage.webhooks.countPausedAfterFailures()).toBe(1);
  },

  'backlog: counts unsent events and waiting deliveries until they are settled': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1, { types: ['verification.created'] });
    await givenEndpoint(storage, 2, { types: ['verification.approved'] });
    for (const n of [2, 1, 3]) await givenVerification(storage, n);
    const backlog = () => storage.webhooks.backlog(100);
    expect(await backlog()).toEqual({ waiting: 3, oldestAt: minute(1) });

    await fanOut(storage, { limit: 2 });
    expect(await backlog()).toEqual({ waiting: 3, oldestAt: minute(1) });
    await leaseEndpoints(storage);
    await settle(storage, endpoint, ofVerification(1));
    expect(await backlog()).toEqual({ waiting: 2, oldestAt: minute(2) });
    const retry = { state: 'waiting', dueAt: MUCH_LATER } as const;
    await settle(storage, endpoint, ofVerification(2), { attempt: anAttempt(2), settlement: retry });
    expect(await backlog()).toEqual({ waiting: 2, oldestAt: minute(2) });
    await settle(storage, endpoint, ofVerification(2), {
      attempt: anAttempt(3),
      settlement: { state: 'failed' },
    });
    expect(await backlog()).toEqual({ waiting: 1, oldestAt: minute(3) });
  },

  'backlog: leaves out what fanOut leaves alone': async (storage) => {
    await givenEndpoint(storage, 1, { since: minute(2) });
    const records = [];
    for (const n of [1, 3]) records.push(await givenVerification(storage, n));
    for (const record of records) await commit(storage, moved(record, 'pending'));

    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 1, oldestAt: minute(3) });
  },

  'backlog: leaves out deliveries that wait for paused endpoints': async (storage) => {
    const [first, second] = [await givenEndpoint(storage, 1), await givenEndpoint(storage, 2)];
    await givenVerification(storage, 1);
    await fanOut(storage);
    await storage.webhooks.change(clientId(1), first.id, { state: 'paused' }, NOW);
    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 1, oldestAt: minute(1) });

    await storage.webhooks.change(clientId(1), second.id, { state: 'disabled' }, NOW);

    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 0, oldestAt: null });
  },

  'backlog: counts each kind up to its limit, and finds the oldest beyond it': async (storage) => {
    await givenEndpoint(storage, 1);
    for (const n of range(1, 5)) await givenVerification(storage, n);
    await fanOut(storage);
    for (const n of range(6, 8)) await givenVerification(storage, n);

    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 8, oldestAt: minute(1) });
    expect(await storage.webhooks.backlog(4)).toEqual({ waiting: 7, oldestAt: minute(1) });
    expect(await storage.webhooks.backlog(2)).toEqual({ waiting: 4, oldestAt: minute(1) });
  },

  'backlog: counts the events of all clients': async (storage) => {
    await givenClient(storage, 2);
    await givenEndpoint(storage, 1);
    await givenEndpoint(storage, 2, { clientId: clientId(2) });
    await givenVerification(storage, 2);
    await givenVerification(storage, 1, { clientId: clientId(2) });
    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 2, oldestAt: minute(1) });

    await fanOut(storage);

    expect(await storage.webhooks.backlog(100)).toEqual({ waiting: 2, oldestAt: minute(1) });
  },
});
