import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { clientId, exportId, minute, verificationId } from '../records/ids.ts';
import { expectUnchanged } from '../records/picture.ts';
import { aReading, givenReading } from '../records/readings.ts';
import { moved } from '../records/records.ts';
import { erasureOf, givenFacts, NO_IDS } from '../records/retention.ts';
import { commit, givenOfTwoClients } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const place = (n: number, owner = 1) => ({ clientId: clientId(owner), verificationId: verificationId(n) });

async function committed(storage: Storage, record: VerificationRecord): Promise<VerificationRecord> {
  const next = moved(record, record.status);
  expect(await commit(storage, next), 'set-up of the case: verifications.commit').toEqual({
    outcome: 'committed',
  });
  return next;
}

/** Readings of files: bound to a version of the verification, which stays. */
export const readingsSuite: Suite = suiteGiven('readings', givenOfTwoClients, {
  'save: stores the reading of a file, to be found by the verification in the order of files': async ({
    readings,
  }) => {
    for (const file of [3, 1, 2]) expect(await readings.save(aReading(1, file), 1)).toBe(true);
    expect(await readings.save(aReading(2, 4), 1)).toBe(true);

    expect(await readings.find(place(1))).toEqual(range(1, 3).map((file) => aReading(1, file)));
    expect(await readings.find(place(2))).toEqual([aReading(2, 4)]);
    expect([await readings.find(place(3)), await readings.find(place(1, 2))]).toEqual([[], []]);
  },

  'save: replaces all of the reading of the file, and no other': async (storage) => {
    await givenReading(storage, 1);
    await givenReading(storage, 1, 2);
    const next = aReading(1, 1, { readerVersion: '2', readAt: minute(200, 7), data: { outcome: 'nothing' } });
    expect(await storage.readings.save(next, 1)).toBe(true);
    expect(await storage.readings.find(place(1))).toEqual([next, aReading(1, 2)]);
  },

  'save: leaves the verification and its version unchanged': async (storage) => {
    await expectUnchanged(storage, () => givenReading(storage, 1));
  },

  'save: is refused at any other version, and stores nothing then': async (storage, [first]) => {
    const { readings } = storage;
    if (first === undefined) throw new Error('set-up of the case: no verification');
    for (const version of [0, 2]) expect(await readings.save(aReading(1), version)).toBe(false);
    await committed(storage, first);
    expect(await readings.save(aReading(1), 1)).toBe(false);
    expect(await readings.find(place(1))).toEqual([]);
    expect(await readings.save(aReading(1), 2)).toBe(true);
    expect(await readings.find(place(1))).toEqual([aReading(1)]);
  },

  'save: finds no verification of another client, and none for a text that cannot be an id': async ({
    readings,
  }) => {
    expect(await readings.save(aReading(1, 1, { clientId: clientId(2) }), 1)).toBe(false);
    expect(await readings.save(aReading(3), 1)).toBe(false);
    for (const id of NO_IDS) {
      expect(await readings.save(aReading(1, 1, { verificationId: id }), 1), JSON.stringify(id)).toBe(false);
      expect(await readings.save(aReading(1, 1, { clientId: id }), 1), JSON.stringify(id)).toBe(false);
      expect(await readings.find({ ...place(1), verificationId: id }), JSON.stringify(id)).toEqual([]);
      expect(await readings.find({ ...place(1), clientId: id }), JSON.stringify(id)).toEqual([]);
    }
    expect([await readings.find(place(1)), await readings.find(place(1, 2))]).toEqual([[], []]);
  },

  'save: of many at once for one file, one stays whole': async ({ readings }) => {
    const given = range(1, 8).map((n) => aReading(1, 1, { readerVersion: `${n}`, data: { n } }));
    const saved = await Promise.all(given.map((reading) => readings.save(reading, 1)));
    expect(saved).toEqual(given.map(() => true));
    const [stored, ...others] = await readings.find(place(1));
    expect(others).toEqual([]);
    expect(given).toContainEqual(stored);
  },

  'save: at the same time as a commit after which the reading is removed, leaves none': async (
    storage,
    [first],
  ) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    const reading = aReading(1);
    let record = first;
    for (const round of range(1, 10)) {
      const next = moved(record, record.status);
      const commitAndRemove = async () => {
        const result = await commit(storage, next);
        await storage.readings.remove([reading]);
        return result;
      };
      const { version } = record;
      const [, result] = await Promise.all([storage.readings.save(reading, version), commitAndRemove()]);
      expect(result).toEqual({ outcome: 'committed' });
      expect(await storage.readings.find(place(1)), `round ${round}`).toEqual([]);
      record = next;
    }
  },

  'remove: deletes the readings of these files alone, and can be repeated': async (storage) => {
    for (const file of range(1, 3)) await givenReading(storage, 1, file);
    await givenReading(storage, 2, 4);
    const places = [1, 3].map((file) => ({ ...place(1), fileId: exportId(file) }));
    const others = [
      { ...place(1, 2), fileId: exportId(2) },
      { ...place(2), fileId: exportId(2) },
    ];
    await storage.readings.remove([...places, ...others]);
    await storage.readings.remove(places);
    await storage.readings.remove([]);
    for (const id of NO_IDS) await storage.readings.remove([{ ...place(1), fileId: id }]);

    expect(await storage.readings.find(place(1))).toEqual([aReading(1, 2)]);
    expect(await storage.readings.find(place(2))).toEqual([aReading(2, 4)]);
  },
});

/** Readings go with the data of their verification. */
export const erasedReadingsSuite: Suite = suiteGiven('erased readings', givenOfTwoClients, {
  'erase: removes the readings of the verification, and no others': async (storage, [first]) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    for (const file of range(1, 2)) await givenReading(storage, 1, file);
    await givenReading(storage, 2, 3);
    expect(await commit(storage, moved(first, 'rejected'))).toEqual({ outcome: 'committed' });
    const begun = await givenFacts(storage, 1, { erasedAt: minute(300), retentionCheckAt: minute(300) });
    expect((await storage.retention.erase(erasureOf(begun))).outcome).toBe('erased');
    expect(await storage.readings.find(place(1))).toEqual([]);
    expect(await storage.readings.find(place(2))).toEqual([aReading(2, 3)]);
  },

  'save: is refused once the erasure has begun, at its version too': async (storage, [first]) => {
    if (first === undefined) throw new Error('set-up of the case: no verification');
    expect(await commit(storage, moved(first, 'rejected'))).toEqual({ outcome: 'committed' });
    const begun = await givenFacts(storage, 1, { erasedAt: minute(300), retentionCheckAt: minute(300) });
    expect(await storage.readings.save(aReading(1), begun.version)).toBe(false);
    await storage.retention.erase(erasureOf(begun));
    const erased = await storage.verifications.find(clientId(1), verificationId(1));
    expect(await storage.readings.save(aReading(1), erased?.version ?? 0)).toBe(false);
    expect(await storage.readings.find(place(1))).toEqual([]);
  },
});
