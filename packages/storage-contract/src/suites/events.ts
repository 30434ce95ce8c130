import { type Actor, EVENT_TYPES, type VerificationEvent } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { eventId, minute, serviceId } from '../records/ids.ts';
import { DIFFICULT_METADATA } from '../records/metadata.ts';
import { expectUnchanged } from '../records/picture.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, wholeOf } from '../records/verifications.ts';
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
