import { EVENT_TYPES, type VerificationEvent } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { isSent, webhookTypeOf } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { eventOf } from '../records/events.ts';
import { clientId, endpointId, eventId, eventIdOf, minute } from '../records/ids.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, givenVerifications } from '../records/verifications.ts';
import {
  anEndpoint,
  due,
  endpointNow,
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

/** Fan-out: each sent event becomes one delivery for each endpoint that receives it, once. */
export const fanOutSuite: Suite = suiteGiven('fan-out', givenFirstClient, {
  'fanOut: delivers events of the sent types and no others': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const events = await givenEveryType(storage);
    const sent = events.filter(isSent);

    expect(await fanOut(storage)).toBe(sent.length);

    const expected = sent.map(({ id, verificationId, version, type, at }) => {
      const event = { eventId: id, verificationId, version, type: webhookTypeOf(type), at };
      return { endpointId: endpoint.id, ...event, state: 'waiting', attempts: 0, dueAt: NOW };
    });
    expect(await logOf(storage, endpoint)).toEqual(expected.reverse());
  },

  'fanOut: leaves silent events out': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const first = aRecord(1);
    const second = moved(first, 'submitted');
    await createCharged(storage, first, { event: eventOf(first, { data: { silent: true } }) });
    await commit(storage, second, { events: [eventOf(second, { data: { silent: false } })] });

    expect(await fanOut(storage)).toBe(1);

    expect(await logged(storage, endpoint, 'version')).toEqual([[eventIdOf(second), 2]]);
  },

  'fanOut: takes each event once': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    await givenVerifications(storage, [1, 3]);

    expect(await fanOut(storage)).toBe(3);
    expect(await fanOut(storage)).toBe(0);
    await leaseEndpoints(storage);
    for (const n of range(1, 3)) await settle(storage, endpoint, eventOf(aRecord(n)));

    expect(await fanOut(storage)).toBe(0);
    expect((await logOf(storage, endpoint)).map(({ state }) => state)).toEqual(Array(3).fill('delivered'));
  },

  'fanOut: delivers to every endpoint of the client that receives the type, unless it is disabled': async (
    storage,
  ) => {
    await givenClient(storage, 2);
    const all = await givenEndpoint(storage, 1);
    const few = await givenEndpoint(storage, 2, { types: ['verification.submitted', 'verification.rejected'] });
    const paused = await givenEndpoint(storage, 3, { state: 'paused' });
    const disabled = await givenEndpoint(storage, 4, { state: 'disabled' });
    const foreign = await givenEndpoint(storage, 5, { clientId: clientId(2) });
    const record = await givenVerification(storage, 1, { status: 'approved' });
    const [created, submitted, approved] = [1, 2, 3].map((version) => eventIdOf({ ...record, version }));

    expect(await fanOut(storage)).toBe(3);

    const received = async (endpoint: typeof all) =>
      (await logOf(storage, endpoint)).map((entry) => entry.eventId).reverse();
    expect(await received(all)).toEqual([created, submitted, approved]);
    expect(await received(few)).toEqual([submitted]);
    expect(await received(paused)).toEqual([created, submitted, approved]);
    expect(await received(disabled)).toEqual([]);
    expect(await received(foreign)).toEqual([]);
  },

  'fanOut: delivers events from `since` on, to the millisecond': async (storage) => {
    const early = await givenEndpoint(storage, 1, { since: minute(2, -1) });
    const late = await givenEndpoint(storage, 2, { since: minute(2, 1) });
    const exact = await givenEndpoint(storage, 3, { since: minute(2) });
    await givenVerification(storage, 2);

    await fanOut(storage);

    expect(
      await Promise.all([early, late, exact].map(async (each) => (await logOf(storage, each)).length)),
    ).toEqual([1, 0, 1]);
  },

  'fanOut: leaves alone what no endpoint could receive': async (storage) => {
    await givenClient(storage, 2);
    await givenVerification(storage, 1);
    await givenVerification(storage, 2, { clientId: clientId(2) });
    await givenEndpoint(storage, 1, { since: minute(1, 1) });
    await givenEndpoint(storage, 2, { clientId: clientId(2), state: 'disabled' });
    expect(await fanOut(storage)).toBe(0);

    // It stays unsent: an endpoint that reaches further back receives it.
    const later = await givenEndpoint(storage, 3);
    const enabled = await storage.webhooks.change(clientId(2), endpointId(2), { state: 'active' }, NOW);

    expect(enabled.outcome).toBe('changed');
    expect(await fanOut(storage)).toBe(2);
    expect(await logged(storage, later, 'version')).toEqual([[eventIdOf(aRecord(1)), 1]]);
    expect(await logged(storage, await endpointNow(storage, 2, 2), 'version')).toEqual([
      [eventIdOf(aRecord(2)), 1],
    ]);
  },

  'fanOut: takes an event that no endpoint receives': async (storage) => {
    await givenEndpoint(storage, 1, { types: ['verification.approved'] });
    await givenVerification(storage, 1);

    expect(await fanOut(storage)).toBe(1);

    const later = await givenEndpoint(storage, 2);
    expect(await fanOut(storage)).toBe(0);
    expect(await logOf(storage, later)).toEqual([]);
  },

  'fanOut: takes the oldest up to its limit, of all clients': async (storage) => {
    await givenClient(storage, 2);
    const [first, second] = [
      await givenEndpoint(storage, 1),
      await givenEndpoint(storage, 2, { clientId: clientId(2) }),
    ];
    for (const n of [4, 6, 1, 5, 3, 2]) await givenVerification(storage, n, { clientId: clientId(n < 4 ? 2 : 1) });
    const taken = async () =>
      [...(await logOf(storage, first)), ...(await logOf(storage, second))].map(({ eventId }) => eventId).sort();
    const ids = range(1, 6).map((n) => eventIdOf(aRecord(n)));

    expect(await fanOut(storage, { limit: 2 })).toBe(2);
    expect(await taken()).toEqual(ids.slice(0, 2));
    expect(await fanOut(storage, { limit: 3 })).toBe(3);
    expect(await taken()).toEqual(ids.slice(0, 5));
    expect(await fanOut(storage, { limit: 3 })).toBe(1);
  },

  'fanOut: takes events of one moment by version, then by id': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    for (const n of [3, 1, 2]) {
      const record = aRecord(n);
      await createCharged(storage, record, { event: eventOf(record, { id: eventId(n), at: minute(9) }) });
    }
    const record = moved(aRecord(2), 'submitted');
    await commit(storage, record, { events: [eventOf(record, { id: eventId(0), at: minute(9) })] });
    const taken: string[] = [];

    for (let n = 0; n < 4; n += 1) {
      expect(await fanOut(storage, { limit: 1 })).toBe(1);
      const log = await logOf(storage, endpoint);
      taken.push(...log.map((entry) => entry.eventId).filter((id) => !taken.includes(id)));
    }

    expect(taken).toEqual([1, 2, 3, 0].map(eventId));
  },

  'fanOut: takes events that several clients have at one moment by version, then by id': async (storage) => {
    await givenClient(storage, 2);
    const endpoints = [await givenEndpoint(storage), await givenEndpoint(storage, 2, { clientId: clientId(2) })];
    const first = aRecord(1);
    await createCharged(storage, first, { event: eventOf(first, { id: eventId(9), at: minute(9) }) });
    const second = moved(first, 'submitted');
    await commit(storage, second, { events: [eventOf(second, { id: eventId(1), at: minute(9) })] });
    for (const n of [2, 3]) {
      const record = aRecord(n, { clientId: clientId(2) });
      await createCharged(storage, record, { event: eventOf(record, { id: eventId(n + 15), at: minute(9) }) });
    }
    const taken: string[] = [];

    for (let n = 0; n < 4; n += 1) {
      expect(await fanOut(storage, { limit: 1 })).toBe(1);
      const logs = await Promise.all(endpoints.map((endpoint) => logOf(storage, endpoint)));
      taken.push(...logs.flat().flatMap((entry) => (taken.includes(entry.eventId) ? [] : [entry.eventId])));
    }

    expect(taken).toEqual([9, 17, 18, 1].map(eventId));
  },

  'fanOut: leaves alone an earlier version from before the `since` of every endpoint': async (storage) => {
    const endpoint = await givenEndpoint(storage, 1, { since: minute(20) });
    await givenVersionsAt(storage, [minute(10), minute(20), minute(30)]);

    expect(await fanOut(storage)).toBe(2);

    expect((await logged(storage, endpoint, 'version')).map(([, version]) => version)).toEqual([3, 2]);
    await givenEndpoint(storage, 2, { since: minute(0) });
    expect(await fanOut(storage)).toBe(1);
  },

  'fanOut: takes earlier versions with a later one whose clock was behind': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const [first, second, third] = await givenVersionsAt(storage, [minute(30), minute(10), minute(20)]);
    await givenVerification(storage, 15);

    expect(await fanOut(storage, { limit: 1 })).toBe(2);

    expect(await logged(storage, endpoint, 'version')).toEqual([
      [first, 1],
      [second, 2],
    ]);
    expect(await fanOut(storage)).toBe(2);
    expect((await logged(storage, endpoint, 'version')).map(([id]) => id)).toContain(third);
  },

  'fanOut: a delivery behind one that waits is due when that one is': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const record = await givenVerification(storage, 1);
    await fanOut(storage);
    await leaseEndpoints(storage);
    await settle(storage, endpoint, eventOf(record), { settlement: { state: 'waiting', dueAt: minute(7_000) } });
    const next = moved(record, 'submitted');
    await commit(storage, next);

    await fanOut(storage, { now: minute(6_000) });
    const other = await givenVerification(storage, 2);
    await fanOut(storage, { now: minute(6_500) });

    expect(new Map(await logged(storage, endpoint, 'dueAt'))).toEqual(
      new Map([
        [eventIdOf(record), minute(7_000)],
        [eventIdOf(next), minute(7_000)],
        [eventIdOf(other), minute(6_500)],
      ]),
    );
  },

  'fanOut: a delivery behind one that was delivered is due immediately': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const record = await givenVerification(storage, 1);
    await fanOut(storage);
    await leaseEndpoints(storage);
    await settle(storage, endpoint, eventOf(record));
    await commit(storage, moved(record, 'submitted'));

    await fanOut(storage, { now: minute(6_000) });

    expect((await logged(storage, endpoint, 'dueAt')).map(([, dueAt]) => dueAt)).toEqual([minute(6_000), null]);
  },

  'fanOut: refused requests and conflicts leave nothing': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const first = await givenVerification(storage, 1);
    await createCharged(storage, aRecord(2, { subjectReference: first.subjectReference }));
    await createCharged(storage, aRecord(3), { allowance: 1 });
    await commit(storage, moved(moved(first, 'submitted'), 'approved'));

    expect(await fanOut(storage)).toBe(1);

    expect(await logged(storage, endpoint, 'version')).toEqual([[eventIdOf(first), 1]]);
  },
});

/** One verification with an event of every type, and returns the events. */
async function givenEveryType(storage: Storage): Promise<VerificationEvent[]> {
  const events: VerificationEvent[] = [];
  for (const [index, type] of EVENT_TYPES.entries()) {
    const record = { ...aRecord(1), version: index + 1 };
    const event = eventOf(record, { type, id: eventId(100 - index), at: minute(index, index) });
    events.push(event);
    if (index === 0) await createCharged(storage, record, { event });
    else await commit(storage, record, { events: [event] });
  }
  return events;
}

/** Creates one verification with a version at each of these times, and returns the ids of its events. */
async function givenVersionsAt(storage: Storage, times: readonly Date[]): Promise<string[]> {
  const ids: string[] = [];
  let record = aRecord(1);
  for (const [index, at] of times.entries()) {
    if (index > 0) record = moved(record, 'submitted');
    const event = eventOf(record, { at });
    ids.push(event.id);
    if (index === 0) await createCharged(storage, record, { event });
    else await commit(storage, record, { events: [event] });
  }
  return ids;
}

/** Many calls at once. */
export const fanOutAtOnceSuite: Suite = suiteGiven('concurrent fan-out', givenFirstClient, {
  'fanOut: many at once share no event and miss none': async (storage) => {
    await givenClient(storage, 2);
    const endpoints = [
      await givenEndpoint(storage, 1),
      await givenEndpoint(storage, 2),
      await givenEndpoint(storage, 3, { clientId: clientId(2) }),
    ];
    for (const n of range(1, 40)) await givenVerification(storage, n, { clientId: clientId(1 + (n % 2)) });

    const counts = await atOnce(12, () => fanOut(storage, { limit: 3 }));
    const total = counts.reduce((sum, count) => sum + count, 0) + (await fanOut(storage));

    expect(total).toBe(40);
    const sizes = await Promise.all(endpoints.map(async (each) => (await logOf(storage, each)).length));
    expect(sizes).toEqual([20, 20, 20]);
  },

  'fanOut: calls during changes miss no event, repeat none and keep their order': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const calls: Promise<number>[] = [];
    const write = async (n: number): Promise<void> => {
      const record = await givenVerification(storage, n);
      calls.push(fanOut(storage, { limit: 2 }));
      await commit(storage, moved(record, 'submitted'));
      calls.push(fanOut(storage, { limit: 2 }));
    };

    await Promise.all(range(1, 15).map(write));
    const before = (await Promise.all(calls)).reduce((sum, count) => sum + count, 0);

    expect(before + (await fanOut(storage))).toBe(30);
    expectCount(await logOf(storage, endpoint), 30);
    await leaseEndpoints(storage);
    const first = (await due(storage, endpoint))?.map(({ event }) => event.version);
    expect(first).toEqual(Array(15).fill(1));
  },

  'fanOut: an endpoint that is removed meanwhile harms no other': async (storage) => {
    const kept = await givenEndpoint(storage, 1);
    for (const n of range(2, 6)) await givenEndpoint(storage, n);
    await givenVerifications(storage, [1, 10]);

    await Promise.all([
      ...range(2, 6).map((n) => storage.webhooks.remove(clientId(1), anEndpoint(n).id)),
      ...range(1, 5).map(() => fanOut(storage, { limit: 3 })),
    ]);
    await fanOut(storage);

    expectCount(await logOf(storage, kept), 10);
    for (const n of range(2, 6)) expect(await logOf(storage, anEndpoint(n))).toEqual([]);
  },
});
