import { type Actor, EVENT_TYPES, type Storage, type VerificationEvent } from '@countersign/domain';
import { expect } from 'vitest';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId, serviceId } from '../records/ids.ts';
import { DIFFICULT_METADATA } from '../records/metadata.ts';
import { minute } from '../records/moments.ts';
import { pictureOf } from '../records/picture.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Events: one for each version, kept whole, and only with the change they tell of. */
export const eventsSuite: Suite = suiteOf('events', {
  'an event of every type comes back as it was written': async (storage) => {
    await givenClient(storage);
    const actors: Actor[] = [
      { kind: 'client', id: serviceId(1) },
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

  'an event keeps the status it led to, not the present one': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1, { status: 'action_needed' });

    expect((await eventsOf(storage))?.map(({ status }) => status)).toEqual([
      'pending',
      'submitted',
      'action_needed',
    ]);
  },

  'data comes back unchanged': async (storage) => {
    await givenClient(storage);
    let record = await givenVerification(storage, 1);

    for (const [difficulty, data] of Object.entries(DIFFICULT_METADATA)) {
      record = moved(record, 'pending');
      await commit(storage, record, { events: [eventOf(record, { data })] });
      expect((await eventsOf(storage))?.at(-1)?.data, difficulty).toEqual(data);
    }
  },

  'events of a refused creation are not kept': async (storage) => {
    await givenClient(storage);
    const keyed = { idempotencyKey: 'key', idempotencyFingerprint: '1'.repeat(64) };
    const { subjectReference } = await givenVerification(storage, 1, keyed);
    const before = await pictureOf(storage);

    await createCharged(storage, aRecord(2, keyed));
    await createCharged(storage, aRecord(3, { subjectReference }));
    await createCharged(storage, aRecord(4), { allowance: 1 });

    expect(await pictureOf(storage)).toEqual(before);
    // Had one of their events been kept, its id would be taken, or the event would show up now.
    const record = aRecord(2);
    expect(await createCharged(storage, record)).toEqual({ outcome: 'created' });
    expect(await eventsOf(storage, record)).toEqual([eventOf(record)]);
  },

  'events of a lost change are not kept': async (storage) => {
    await givenClient(storage);
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

async function eventsOf(
  { verifications }: Storage,
  { id } = aRecord(1),
): Promise<readonly VerificationEvent[] | undefined> {
  return (await verifications.findWithEvents(clientId(1), id))?.events;
}
