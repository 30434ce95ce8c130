import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId, eventIdOf } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { holdOf, idsOf, lease, MUCH_LATER, UNTIL } from '../records/outbox.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, givenVerifications } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Leases of events on their way out: oldest first, and never to two workers. */
export const outboxSuite: Suite = suiteOf('outbox', {
  'events of requests and of changes go out whole': async (storage) => {
    await givenClient(storage);
    const created = aRecord(1);
    const submitted = moved(created, 'submitted');
    const details = { actor: { kind: 'client', id: 'key “1”' }, data: { a: [1, { b: null }] } } as const;
    const events = [
      eventOf(created, { ...details, at: minute(1, 234) }),
      eventOf(submitted, { at: minute(2, 345) }),
    ];
    await createCharged(storage, created, events[0] === undefined ? {} : { event: events[0] });
    await commit(storage, submitted, { events: events.slice(1) });

    expect(await lease(storage, 1)).toEqual(events.map((event) => ({ event, attempt: 1 })));
  },

  'where nothing has happened, nothing is leased': async (storage) => {
    expect(await lease(storage, 1)).toEqual([]);
  },

  'the oldest come first, those of one moment by id': async (storage) => {
    await givenClient(storage);
    const moments: [number, Date][] = [
      [5, minute(3)],
      [3, minute(7)],
      [4, minute(7, -1)],
      [6, minute(7)],
      [1, minute(9)],
      [2, minute(7)],
    ];
    for (const [n, at] of moments) {
      const record = aRecord(n);
      await createCharged(storage, record, { event: eventOf(record, { id: eventId(n), at }) });
    }

    expect(idsOf(await lease(storage, 1))).toEqual([5, 4, 2, 3, 6, 1].map(eventId));
  },

  'a lease takes the oldest up to its limit, the next one those after them': async (storage) => {
    await givenClient(storage);
    for (const n of [4, 2, 5, 1, 3]) await givenVerification(storage, n);
    const ids = range(1, 5).map((n) => eventIdOf(aRecord(n)));

    expect(idsOf(await lease(storage, 1, { limit: 2 }))).toEqual(ids.slice(0, 2));
    expect(idsOf(await lease(storage, 2, { limit: 2 }))).toEqual(ids.slice(2, 4));
    expect(idsOf(await lease(storage, 3, { limit: 2 }))).toEqual(ids.slice(4));
    expect(await lease(storage, 4, { limit: 2 })).toEqual([]);
  },

  'a leased event is not due before the lease ends, and due at that very moment': async (storage) => {
    await givenClient(storage);
    await givenVerifications(storage, [1, 2]);
    const leased = await lease(storage, 1);
    const oneMsBefore = new Date(UNTIL.getTime() - 1);

    expect(await lease(storage, 2, { now: oneMsBefore, until: MUCH_LATER })).toEqual([]);

    expect(idsOf(await lease(storage, 3, { now: UNTIL, until: MUCH_LATER }))).toEqual(idsOf(leased));
  },

  'each lease counts as an attempt': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const attempts: (number | undefined)[] = [];

    for (const n of range(1, 4)) {
      const [now, until] = [minute(5_000 + n), minute(5_001 + n)];
      const [leased] = await lease(storage, n, { now, until });
      attempts.push(leased?.attempt);
      if (n === 2) await storage.outbox.fail(holdOf(eventOf(aRecord(1)), n), until);
    }

    expect(attempts).toEqual([1, 2, 3, 4]);
  },

  'what is due again takes its place by age among what is new': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 2);
    await lease(storage, 1);
    await givenVerification(storage, 1);
    await givenVerification(storage, 3);

    const leased = await lease(storage, 2, { now: UNTIL, until: MUCH_LATER });

    expect(leased.map(({ event, attempt }) => [event.id, attempt])).toEqual([
      [eventIdOf(aRecord(1)), 1],
      [eventIdOf(aRecord(2)), 2],
      [eventIdOf(aRecord(3)), 1],
    ]);
  },

  'events of all clients go out': async (storage) => {
    await givenClients(storage, 3);
    for (const n of range(1, 6)) await givenVerification(storage, n, { clientId: clientId(1 + (n % 3)) });

    const leased = await lease(storage, 1);

    expect(leased.map(({ event }) => event.clientId)).toEqual([2, 3, 1, 2, 3, 1].map(clientId));
  },

  'refused requests and lost changes put nothing in': async (storage) => {
    await givenClient(storage);
    const first = await givenVerification(storage, 1, {
      idempotencyKey: 'key',
      idempotencyFingerprint: '1'.repeat(64),
    });
    const { subjectReference, idempotencyKey, idempotencyFingerprint } = first;

    await createCharged(storage, aRecord(2, { idempotencyKey, idempotencyFingerprint }));
    await createCharged(storage, aRecord(3, { subjectReference }));
    await createCharged(storage, aRecord(4), { allowance: 1 });
    await commit(storage, moved(moved(first, 'submitted'), 'approved'));

    expect(idsOf(await lease(storage, 1))).toEqual([eventIdOf(first)]);
  },
});
