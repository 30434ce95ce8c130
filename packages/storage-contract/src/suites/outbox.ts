import { type Actor, EVENT_TYPES, type Storage, type VerificationEvent } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId, eventIdOf, minute, serviceId } from '../records/ids.ts';
import { DIFFICULT_METADATA } from '../records/metadata.ts';
import { holdOf, idsOf, lease, MUCH_LATER, NOW, UNTIL } from '../records/outbox.ts';
import { expectUnchanged } from '../records/picture.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import {
  commit,
  createCharged,
  givenVerification,
  givenVerifications,
  wholeOf,
} from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Events: one for each version, stored unchanged, and only together with their change. */
export const eventsSuite: Suite = suiteGiven('events', givenClient, {
  'events: an event of every type is read as it was written': async (storage) => {
    const actors: Actor[] = [
      { kind: 'api_key', id: serviceId(1) },
      { kind: 'team_member', id: serviceId(3) },
      { kind: 'subject', id: null },
      { kind: 'reviewer', id: 'reviewer “7” 😀' },
      { kind: 'operator', id: serviceId(2) },
      { kind: 'system', id: null },
    ];
    const events: VerificationEvent[] = [];

    for (const [index, type] of EVENT_TYPES.entries()) {
      const record = { ...aRecord(1), version: index + 1 };
      const actor = actors[index % actors.length] ?? { kind: 'system', id: null };
      const data = { items: [{ step: 'person', reasonCode: 'other' }, { step: 'address' }], index };
      const event = eventOf(record, { type, actor, data, id: eventId(100 - index), at: minute(index, index) });
      events.push(event);
      if (index === 0) await createCharged(storage, record, { event });
      else await commit(storage, record, { events: [event] });
    }

    expect(await eventsOf(storage)).toEqual(events);
  },

  'events: an event keeps the status after its own change': async (storage) => {
    await givenVerification(storage, 1, { status: 'action_needed' });

    expect((await eventsOf(storage))?.map(({ status }) => status)).toEqual([
      'pending',
      'submitted',
      'action_needed',
    ]);
  },

  'events: data is read unchanged': async (storage) => {
    let record = await givenVerification(storage, 1);

    for (const [difficulty, data] of Object.entries(DIFFICULT_METADATA)) {
      record = moved(record, 'pending');
      await commit(storage, record, { events: [eventOf(record, { data })] });
      expect((await eventsOf(storage))?.at(-1)?.data, difficulty).toEqual(data);
    }
  },

  'events: a refused creation leaves no event': async (storage) => {
    const keyed = keyedBy('key');
    const { subjectReference } = await givenVerification(storage, 1, keyed);

    await expectUnchanged(storage, async () => {
      await createCharged(storage, aRecord(2, keyed));
      await createCharged(storage, aRecord(3, { subjectReference }));
      await createCharged(storage, aRecord(4), { allowance: 1 });
    });
    // A stored event would make its id taken, or appear here.
    const record = aRecord(2);
    expect(await createCharged(storage, record)).toEqual({ outcome: 'created' });
    expect(await eventsOf(storage, record)).toEqual([eventOf(record)]);
  },

  'events: a change that conflicts leaves no event': async (storage) => {
    const first = await givenVerification(storage, 1);
    const second = moved(first, 'submitted');
    await commit(storage, second);

    const lost = moved(first, 'pending');
    await commit(storage, lost, { events: [eventOf(lost, { id: eventId(1) })] });

    expect(await eventsOf(storage)).toEqual([eventOf(first), eventOf(second)]);
    const third = moved(second, 'approved');
    expect(await commit(storage, third)).toEqual({ outcome: 'committed' });
    expect(await eventsOf(storage)).toEqual([first, second, third].map((record) => eventOf(record)));
  },
});

async function eventsOf(storage: Storage, { id } = aRecord(1)): Promise<readonly VerificationEvent[] | undefined> {
  return (await wholeOf(storage, id))?.events;
}

/** Leases: the oldest event first, never to two workers. */
export const outboxSuite: Suite = suiteGiven('outbox', givenClient, {
  'lease: returns events of creations and changes whole': async (storage) => {
    const created = aRecord(1);
    const submitted = moved(created, 'submitted');
    const details = { actor: { kind: 'api_key', id: 'key “1”' }, data: { a: [1, { b: null }] } } as const;
    const events = [
      eventOf(created, { ...details, at: minute(1, 234) }),
      eventOf(submitted, { at: minute(2, 345) }),
    ];
    await createCharged(storage, created, events[0] === undefined ? {} : { event: events[0] });
    await commit(storage, submitted, { events: events.slice(1) });

    expect(await lease(storage, 1)).toEqual(events.map((event) => ({ event, attempt: 1 })));
  },

  'lease: returns nothing from an empty outbox': async (storage) => {
    expect(await lease(storage, 1)).toEqual([]);
  },

  'lease: returns the oldest first, and events of one moment by id': async (storage) => {
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

  'lease: takes the oldest up to its limit; the next lease takes those after them': async (storage) => {
    for (const n of [4, 2, 5, 1, 3]) await givenVerification(storage, n);
    const ids = range(1, 5).map((n) => eventIdOf(aRecord(n)));

    expect(idsOf(await lease(storage, 1, { limit: 2 }))).toEqual(ids.slice(0, 2));
    expect(idsOf(await lease(storage, 2, { limit: 2 }))).toEqual(ids.slice(2, 4));
    expect(idsOf(await lease(storage, 3, { limit: 2 }))).toEqual(ids.slice(4));
    expect(await lease(storage, 4, { limit: 2 })).toEqual([]);
  },

  'lease: a leased event is due again when the lease ends, to the millisecond': async (storage) => {
    await givenVerifications(storage, [1, 2]);
    const leased = await lease(storage, 1);
    const oneMsBefore = new Date(UNTIL.getTime() - 1);

    expect(await lease(storage, 2, { now: oneMsBefore, until: MUCH_LATER })).toEqual([]);

    expect(idsOf(await lease(storage, 3, { now: UNTIL, until: MUCH_LATER }))).toEqual(idsOf(leased));
  },

  'lease: each lease counts one attempt': async (storage) => {
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

  'lease: orders events that are due again and new ones by age': async (storage) => {
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

  'lease: returns events of all clients': async (storage) => {
    await givenClients(storage, [2, 3]);
    for (const n of range(1, 6)) await givenVerification(storage, n, { clientId: clientId(1 + (n % 3)) });

    const leased = await lease(storage, 1);

    expect(leased.map(({ event }) => event.clientId)).toEqual([2, 3, 1, 2, 3, 1].map(clientId));
  },

  'lease: returns nothing of refused requests and conflicts': async (storage) => {
    const first = await givenVerification(storage, 1, keyedBy('key'));

    await createCharged(storage, aRecord(2, keyedBy('key')));
    await createCharged(storage, aRecord(3, { subjectReference: first.subjectReference }));
    await createCharged(storage, aRecord(4), { allowance: 1 });
    await commit(storage, moved(moved(first, 'submitted'), 'approved'));

    expect(idsOf(await lease(storage, 1))).toEqual([eventIdOf(first)]);
  },
});

/** Many workers at once: no event is leased twice, none is missed. */
export const outboxAtOnceSuite: Suite = suiteGiven('outbox at once', givenClient, {
  'lease: many at once share no event and miss none': async (storage) => {
    await givenClients(storage, [2, 3]);
    for (const n of range(1, 60)) await givenVerification(storage, n, { clientId: clientId(1 + (n % 3)) });

    const wave = await atOnce(20, (n) => lease(storage, n, { limit: 5 }));
    // Concurrent leases may return fewer events than their limit; the others are still due.
    const rest = await lease(storage, 21);

    for (const leased of wave) expect(leased.length).toBeLessThanOrEqual(5);
    const all = [...wave.flat(), ...rest];
    expect(idsOf(all).sort()).toEqual(range(1, 60).map((n) => eventIdOf(aRecord(n))));
    expect(new Set(all.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    expect(await lease(storage, 22, { now: NOW })).toEqual([]);
  },

  'lease: each of many at once holds the events that it received': async (storage) => {
    await givenVerifications(storage, [1, 30]);

    const outcomes = await atOnce(10, async (n) => {
      const leased = await lease(storage, n, { limit: 3 });
      return Promise.all(leased.map(({ event }) => storage.outbox.ack(holdOf(event, n), NOW)));
    });

    const expected = outcomes.map((each) => each.map(() => ({ outcome: 'done' })));
    expect(outcomes).toEqual(expected);
    const rest = await lease(storage, 11, { now: MUCH_LATER, until: minute(20_000) });
    expect(outcomes.flat().length + rest.length).toBe(30);
  },

  'lease: workers that deliver during creations miss no event and repeat none': async (storage) => {
    const delivered: string[] = [];
    const work = async (n: number): Promise<void> => {
      for (const { event } of await lease(storage, n, { limit: 2 })) {
        const { outcome } = await storage.outbox.ack(holdOf(event, n), NOW);
        if (outcome === 'done') delivered.push(event.id);
      }
    };
    const workers: Promise<void>[] = [];
    const write = async (first: number): Promise<void> => {
      for (const n of range(first, first + 9)) {
        await givenVerification(storage, n);
        workers.push(work(n));
      }
    };

    await Promise.all([write(1), write(11), write(21), write(31)]);
    await Promise.all(workers);
    const rest = await lease(storage, 99, { now: MUCH_LATER, until: minute(20_000) });

    expect([...delivered, ...idsOf(rest)].sort()).toEqual(range(1, 40).map((n) => eventIdOf(aRecord(n))));
  },
});
