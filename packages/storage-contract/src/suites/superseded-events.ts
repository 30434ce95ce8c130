import type { VerificationEvent } from '@countersign/domain';
import { MAX_EVENTS, type Storage, type VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { expectRejected } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId } from '../records/ids.ts';
import { expectUnchanged } from '../records/picture.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, wholeOf } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** A change may replace an earlier event, and the number of events is limited. */
export const supersededEventsSuite: Suite = suiteGiven('superseded events', givenClient, {
  'commit: deletes the superseded event with its own, and leaves all others': async (storage) => {
    const [created, first, second] = await givenSteps(storage, 1);
    const others = await givenSteps(storage, 2);
    const again = { ...moved(second, 'pending'), eventCount: 3 };

    expect(await supersede(storage, again, [first.version])).toEqual({ outcome: 'committed' });

    const events = [created, second, again].map((record) => eventOf(record));
    expect(await wholeOf(storage, again.id)).toEqual({ record: again, events });
    expect((await wholeOf(storage, others[2].id))?.events).toEqual(others.map((record) => eventOf(record)));
  },

  'commit: a conflict deletes nothing': async (storage) => {
    const [created, first] = await givenSteps(storage, 1);

    await expectUnchanged(storage, async () => {
      const late = moved(created, 'pending');
      expect(await supersede(storage, late, [first.version])).toEqual({ outcome: 'conflict' });
    });
  },

  'commit: superseding a version without an event deletes nothing': async (storage) => {
    const created = await givenVerification(storage, 1);
    const quiet = moved(created, 'pending', { eventCount: 1 });
    await commit(storage, quiet, { events: [] });
    const next = { ...moved(quiet, 'pending'), eventCount: 2 };

    expect(await supersede(storage, next, [quiet.version])).toEqual({ outcome: 'committed' });

    expect((await wholeOf(storage, next.id))?.events).toEqual([eventOf(created), eventOf(next)]);
  },

  'commit: two events of one change are kept in their order, each with its own version, and supersede two': async (
    storage,
  ) => {
    const created = await givenVerification(storage, 1);
    const before = moved(created, 'pending', { currentStep: 1 });
    await commit(storage, before);

    const both = await completeTwo(storage, before, { currentStep: 3, eventCount: 4 });

    const first = [created, before].map((record) => eventOf(record));
    expect(await wholeOf(storage, both.record.id)).toEqual({
      record: both.record,
      events: [...first, ...both.events],
    });

    const again = await completeTwo(storage, both.record, {
      eventCount: 4,
      supersededVersions: both.events.map(({ version }) => version),
    });
    expect(await wholeOf(storage, again.record.id)).toEqual({
      record: again.record,
      events: [...first, ...again.events],
    });
  },

  'limit: an active verification has at most MAX_EVENTS events; a resolved one may have more': async (storage) => {
    const record = aRecord(1, { eventCount: MAX_EVENTS });
    await createCharged(storage, record);
    const full = moved(record, 'submitted', { eventCount: MAX_EVENTS });
    expect(await commit(storage, full, { events: [] })).toEqual({ outcome: 'committed' });

    await expectUnchanged(storage, async () => {
      await expectRejected(
        commit(storage, moved(full, 'submitted')),
        `commit of an open record with more than ${MAX_EVENTS} events`,
      );
      const tooMany = aRecord(2, { eventCount: MAX_EVENTS + 1 });
      await expectRejected(
        createCharged(storage, tooMany),
        `createCharged of a record with more than ${MAX_EVENTS} events`,
      );
    });

    const decided = moved(full, 'approved');
    expect(await commit(storage, decided)).toEqual({ outcome: 'committed' });
    const stored = await storage.verifications.find(clientId(1), decided.id);
    expect(stored?.eventCount).toBe(MAX_EVENTS + 1);
  },
});

/** A new verification after its creation and after each of two changes. */
async function givenSteps(
  storage: Storage,
  n: number,
): Promise<readonly [VerificationRecord, VerificationRecord, VerificationRecord]> {
  const created = await givenVerification(storage, n);
  const first = moved(created, 'pending');
  const second = moved(first, 'pending');
  for (const record of [first, second]) await commit(storage, record);
  return [created, first, second];
}

/** Commits a record with its event, which supersedes an earlier one. */
function supersede(
  storage: Storage,
  record: VerificationRecord,
  supersededVersions: readonly number[],
): Promise<{ outcome: 'committed' | 'conflict' }> {
  const change = { record, expectedVersion: record.version - 1, events: [eventOf(record)], supersededVersions };
  return storage.verifications.commit(change);
}

/** Commits one change with two events, as of two steps that are completed together: the version rises by two. */
async function completeTwo(
  storage: Storage,
  before: VerificationRecord,
  { supersededVersions = [], ...given }: Partial<VerificationRecord> & { supersededVersions?: readonly number[] },
): Promise<{ record: VerificationRecord; events: readonly VerificationEvent[] }> {
  const record = moved(before, 'pending', {
    currentStep: before.currentStep,
    ...given,
    version: before.version + 2,
  });
  // Of one moment, and with ids against their order.
  const events = [1, 2].map((number) =>
    eventOf(record, { id: eventId(record.version * 10 - number), version: before.version + number }),
  );
  const change = { record, expectedVersion: before.version, events, supersededVersions };
  expect(await storage.verifications.commit(change)).toEqual({ outcome: 'committed' });
  return { record, events };
}
