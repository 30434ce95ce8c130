import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { aNote, givenNote } from '../records/kept-warnings.ts';
import { expectUnchanged } from '../records/picture.ts';
import { moved } from '../records/records.ts';
import { erasureOf, givenFacts, NO_IDS } from '../records/retention.ts';
import { commit, givenOfTwoClients, wholeOf } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

async function kept(storage: Storage, n: number): Promise<Pick<VerificationRecord, 'warnings' | 'severity'>> {
  const found = await wholeOf(storage, verificationId(n));
  if (found === null) throw new Error(`The storage has no verification ${n}`);
  const { warnings, severity } = found.record;
  return { warnings, severity };
}

const NOTHING = { warnings: null, severity: null };

/** Warnings of a case: bound to a version of the verification, which stays. */
export const keptWarningsSuite: Suite = suiteGiven('kept warnings', givenOfTwoClients, {
  'noteWarnings: keeps the warnings of the verification, and of no other': async (storage) => {
    expect(await kept(storage, 1)).toEqual(NOTHING);
    const first = await givenNote(storage, 1);
    const third = await givenNote(storage, 3, { clientId: clientId(2), severity: 'critical' });
    expect(await kept(storage, 1)).toEqual(first);
    expect(await kept(storage, 2)).toEqual(NOTHING);
    expect(await kept(storage, 3)).toEqual(third);
    expect(await storage.verifications.find(clientId(1), verificationId(1))).toMatchObject(first);
  },

  'noteWarnings: replaces all of what was kept': async (storage) => {
    await givenNote(storage, 1);
    const next = await givenNote(storage, 1, { warnings: { rules: 2 }, severity: null });
    expect(await kept(storage, 1)).toEqual(next);
  },

  'noteWarnings: changes nothing else of the verification, its version included': async (storage) => {
    const before = await wholeOf(storage, verificationId(1));
    const note = await givenNote(storage, 1);
    const after = await wholeOf(storage, verificationId(1));
    expect(after).toEqual(before && { ...before, record: { ...before.record, ...note } });
  },

  'noteWarnings: is refused at any other version, and keeps nothing then': async (storage, [first]) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    const { verifications } = storage;
    await expectUnchanged(storage, async () => {
      for (const expectedVersion of [0, 2])
        expect(await verifications.noteWarnings(aNote(1, { expectedVersion }))).toBe(false);
    });
    expect(await commit(storage, moved(first, 'submitted'))).toEqual({ outcome: 'committed' });
    expect(await verifications.noteWarnings(aNote(1))).toBe(false);
    expect(await kept(storage, 1)).toEqual(NOTHING);
    const note = await givenNote(storage, 1, { expectedVersion: 2 });
    expect(await kept(storage, 1)).toEqual(note);
  },

  'noteWarnings: finds no verification of another client, and none for a text that cannot be an id': async (
    storage,
  ) => {
    const { verifications } = storage;
    await expectUnchanged(storage, async () => {
      expect(await verifications.noteWarnings(aNote(1, { clientId: clientId(2) }))).toBe(false);
      expect(await verifications.noteWarnings(aNote(3))).toBe(false);
      for (const id of NO_IDS) {
        expect(await verifications.noteWarnings(aNote(1, { verificationId: id })), JSON.stringify(id)).toBe(false);
        expect(await verifications.noteWarnings(aNote(1, { clientId: id })), JSON.stringify(id)).toBe(false);
      }
    });
  },

  'noteWarnings: of many at once, one stays whole': async (storage) => {
    const notes = range(1, 8).map((n) =>
      aNote(1, { warnings: { n }, severity: n % 2 === 0 ? 'warning' : 'critical' }),
    );
    const stored = await Promise.all(notes.map((note) => storage.verifications.noteWarnings(note)));
    expect(stored).toEqual(notes.map(() => true));
    expect(notes.map(({ warnings, severity }) => ({ warnings, severity }))).toContainEqual(await kept(storage, 1));
  },

  'commit: leaves the kept warnings': async (storage, [first]) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    const note = await givenNote(storage, 1);
    const submitted = moved(first, 'submitted', { warnings: { rules: 9 }, severity: 'critical' });
    expect(await commit(storage, submitted)).toEqual({ outcome: 'committed' });
    expect(await commit(storage, moved(submitted, 'submitted', NOTHING))).toEqual({ outcome: 'committed' });
    expect(await kept(storage, 1)).toEqual(note);
  },

  'commit: `kept` replaces the kept warnings; a conflict and a commit without it keep them': async (
    storage,
    [first],
  ) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    await givenNote(storage, 1);
    const { warnings, severity } = aNote(1, { warnings: { rules: 7 }, severity: 'critical' });
    const submitted = moved(first, 'submitted', NOTHING);
    expect(await commit(storage, submitted, { kept: { warnings, severity } })).toEqual({ outcome: 'committed' });
    expect(await kept(storage, 1)).toEqual({ warnings, severity });
    expect(await kept(storage, 2)).toEqual(NOTHING);
    const late = { kept: { warnings: { rules: 8 }, severity: null }, expectedVersion: first.version };
    expect(await commit(storage, moved(submitted, 'submitted'), late)).toEqual({ outcome: 'conflict' });
    expect(await kept(storage, 1)).toEqual({ warnings, severity });
    expect(await commit(storage, moved(submitted, 'submitted'))).toEqual({ outcome: 'committed' });
    expect(await kept(storage, 1)).toEqual({ warnings, severity });
  },

  'noteWarnings: at the same time as a commit, keeps nothing after it': async (storage, [first]) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    let record = first;
    for (const round of range(1, 10)) {
      const next = moved(record, 'submitted');
      const commitAndRead = async () => {
        expect(await commit(storage, next)).toEqual({ outcome: 'committed' });
        return kept(storage, 1);
      };
      const late = aNote(1, { expectedVersion: record.version, warnings: { round } });
      const [, afterCommit] = await Promise.all([storage.verifications.noteWarnings(late), commitAndRead()]);
      expect(await kept(storage, 1), `round ${round}`).toEqual(afterCommit);
      record = next;
    }
  },

  'noteWarnings: is refused once the erasure has begun, which removes what is kept': async (storage, [first]) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    const note = await givenNote(storage, 1);
    const second = await givenNote(storage, 2);
    expect(await commit(storage, moved(first, 'rejected'))).toEqual({ outcome: 'committed' });
    const begun = await givenFacts(storage, 1, { erasedAt: minute(300), retentionCheckAt: minute(300) });
    expect(await kept(storage, 1)).toEqual(note);
    expect(await storage.verifications.noteWarnings(aNote(1, { expectedVersion: begun.version }))).toBe(false);
    expect((await storage.retention.erase(erasureOf(begun))).outcome).toBe('erased');
    expect(await kept(storage, 1)).toEqual(NOTHING);
    expect(await kept(storage, 2)).toEqual(second);
    const { version } = (await wholeOf(storage, verificationId(1)))?.record ?? begun;
    expect(await storage.verifications.noteWarnings(aNote(1, { expectedVersion: version }))).toBe(false);
    expect(await kept(storage, 1)).toEqual(NOTHING);
  },
});
