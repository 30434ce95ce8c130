import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId, MARCH, minute } from '../records/ids.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { expectEveryRead, found, queued, reviewer } from '../records/queries.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import { commit, givenVerification, wholeOf } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Compare-and-set: one winner for each version; losers change nothing. */
export const compareAndSetSuite: Suite = suiteGiven('compare and set', givenClient, {
  'commit: over the stored version replaces the record and appends its event': async (storage) => {
    const before = await givenVerification(storage, 1, { type: 'kyb', metadata: { kept: true } });
    const record = moved(before, 'submitted', {
      currentStep: 7,
      linkVersion: 4,
      linkExpiresAt: minute(99_999, 9),
      answers: { replaced: [1, 2] },
      reviewData: { replaced: { too: true } },
    });

    expect(await commit(storage, record)).toEqual({ outcome: 'committed' });

    expect(await wholeOf(storage, record.id)).toEqual({
      record,
      events: [eventOf(before), eventOf(record)],
    });
  },

  'commit: over another version is a conflict and changes nothing': async (storage) => {
    const stored = await givenVerification(storage, 1, { status: 'submitted' });

    await expectUnchanged(storage, async () => {
      for (const expectedVersion of [1, 3, 0]) {
        const record = { ...moved(stored, 'approved'), version: expectedVersion + 1 };
        const events = [eventOf(record, { id: eventId(expectedVersion) })];
        expect(await commit(storage, record, { expectedVersion, events })).toEqual({ outcome: 'conflict' });
      }
    });
  },

  'commit: succeeds over the current version after a conflict': async (storage) => {
    const first = await givenVerification(storage, 1);
    const second = moved(first, 'pending', { currentStep: 1 });
    await commit(storage, second);

    expect(await commit(storage, moved(first, 'submitted'))).toEqual({ outcome: 'conflict' });
    expect(await commit(storage, moved(second, 'submitted'))).toEqual({ outcome: 'committed' });
  },

  'commit: of twenty at once over one version, one succeeds and the others change nothing': async (storage) => {
    const stored = await givenVerification(storage, 1, { status: 'submitted' });
    const changes = range(0, 19).map((n) => {
      const record = moved(stored, n % 2 === 0 ? 'approved' : 'rejected', { answers: { by: n } });
      return {
        record,
        expectedVersion: stored.version,
        events: [eventOf(record, { id: eventId(n), data: { by: n } })],
      };
    });

    const outcomes = await Promise.all(changes.map((change) => storage.verifications.commit(change)));

    expect(tally(outcomes)).toEqual({ committed: 1, conflict: 19 });
    const winner = changes[outcomes.findIndex(({ outcome }) => outcome === 'committed')];
    const found = await wholeOf(storage, stored.id);
    expect(found?.record).toEqual(winner?.record);
    expect(found?.events.slice(2)).toEqual(winner?.events);
  },

  'commit: of many writers that retry, every change is kept': async (storage) => {
    const { id } = await givenVerification(storage, 1);

    await atOnce(10, async (n) => {
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        const present = (await storage.verifications.find(clientId(1), id)) ?? aRecord(1);
        const record = moved(present, 'pending', { answers: { ...present.answers, [`mark ${n}`]: true } });
        const events = [eventOf(record, { id: eventId(n) })];
        if ((await commit(storage, record, { events })).outcome === 'committed') return;
      }
    });

    const found = await wholeOf(storage, id);
    expect(found?.record.version).toBe(11);
    expectCount(Object.keys(found?.record.answers ?? {}), 10);
    expect(found?.events.map(({ version }) => version)).toEqual(range(1, 11));
  },

  'commit: of an unknown verification is a conflict and creates none': async (storage) => {
    for (const expectedVersion of [0, 1]) {
      const record = { ...aRecord(1), version: expectedVersion + 1 };
      expect(await commit(storage, record)).toEqual({ outcome: 'conflict' });
    }

    expect((await pictureOf(storage))[0]).toMatchObject({ verifications: [], events: [] });
  },

  'commit: with another client’s id and the same verification id changes nothing': async (storage) => {
    await givenClient(storage, 2);
    const stored = await givenVerification(storage, 1, { status: 'submitted' });

    await expectUnchanged(storage, async () => {
      const foreign = { ...moved(stored, 'approved'), clientId: clientId(2) };

      expect(await commit(storage, foreign)).toEqual({ outcome: 'conflict' });
    });
  },

  'commit: leaves other verifications and charges nothing': async (storage) => {
    await givenClient(storage, 2);
    const stored = await givenVerification(storage, 1);
    const sibling = await givenVerification(storage, 2);
    const stranger = await givenVerification(storage, 3, { clientId: clientId(2) });

    await commit(storage, moved(stored, 'submitted'));

    for (const record of [sibling, stranger]) {
      const found = await wholeOf(storage, record.id);
      expect(found).toEqual({ record, events: [eventOf(record)] });
    }
    expect(await storage.clients.usedIn(clientId(1), MARCH)).toBe(2);
  },

  'commit: keeps a change without events': async (storage) => {
    const stored = await givenVerification(storage, 1);
    const record = moved(stored, 'submitted');

    expect(await commit(storage, record, { events: [] })).toEqual({ outcome: 'committed' });

    const found = await wholeOf(storage, stored.id);
    expect(found).toEqual({ record, events: [eventOf(stored)] });
  },
});

/** Submission and claim are stored, replaced and cleared with the record. */
export const claimsSuite: Suite = suiteGiven('submissions and claims', givenClaimed, {
  'claim: every read operation returns submission and claim': async (storage, record) => {
    await expectEveryRead(storage, record);
  },

  'claim: may be taken over': async (storage, record) => {
    const taken = { ...record, version: 4, claimedBy: reviewer(2), claimedAt: minute(70, 7) };
    await commit(storage, taken);

    expect(await storage.verifications.find(clientId(1), record.id)).toEqual(taken);
    expect(await queued(storage, { claimedBy: reviewer(1) })).toEqual(found());
    expect(await queued(storage, { claimedBy: reviewer(2) })).toEqual(found(1));
  },

  'claim: releasing it keeps the time of submission': async (storage, record) => {
    await commit(storage, { ...record, version: 4, claimedBy: null, claimedAt: null });

    const stored = await storage.verifications.find(clientId(1), record.id);
    expect(stored).toEqual({ ...record, version: 4, claimedBy: null, claimedAt: null });
    expect(stored?.submittedAt).toEqual(minute(60, 6));
    expect(await queued(storage, { claimedBy: null })).toEqual(found(1));
  },

  'claim: a decision ends it and keeps the time of submission': async (storage, record) => {
    const decided = moved(record, 'approved');
    await commit(storage, decided);

    expect(decided).toMatchObject({ claimedBy: null, claimedAt: null, submittedAt: minute(60, 6) });
    expect(await storage.verifications.find(clientId(1), record.id)).toEqual(decided);
    expect(await queued(storage, { claimedBy: reviewer(1) })).toEqual(found());
  },

  'claim: of many at once, one succeeds': async (storage) => {
    const record = await givenVerification(storage, 2, { status: 'submitted' });

    const outcomes = await Promise.all(
      range(1, 10).map((n) => {
        const claimed = { ...record, version: 3, claimedBy: reviewer(n), claimedAt: minute(n) };
        return commit(storage, claimed, { events: [] });
      }),
    );

    expect(tally(outcomes)).toEqual({ committed: 1, conflict: 9 });
    const winner = 1 + outcomes.findIndex(({ outcome }) => outcome === 'committed');
    expect(await storage.verifications.find(clientId(1), record.id)).toMatchObject({
      claimedBy: reviewer(winner),
      claimedAt: minute(winner),
    });
  },
});

/** A submitted verification, claimed by the first reviewer in its third version. */
async function givenClaimed(storage: Storage): Promise<VerificationRecord> {
  await givenClient(storage);
  const submitted = await givenVerification(storage, 1, {
    status: 'submitted',
    submittedAt: minute(60, 6),
    sandboxOutcome: 'rejected',
    ...keyedBy('key'),
  });
  const record = { ...submitted, version: 3, claimedBy: reviewer(1), claimedAt: minute(61, 999) };
  await commit(storage, record);
  return record;
}
