import type { ReadingRecord, Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { countingKeys } from '../test-support/keys.ts';
import {
  aRecord,
  CLIENT,
  createCharged,
  fullRecord,
  SECRET_NAME,
  verificationId,
} from '../test-support/records.ts';
import { createSealedStorage } from './sealed-storage.ts';

const place = (n: number) => ({ clientId: CLIENT, verificationId: verificationId(n) });
const reading = (n: number, fileId: string): ReadingRecord => ({
  ...place(n),
  fileId,
  readerVersion: '1',
  readAt: new Date(0),
  data: { lastName: SECRET_NAME },
});

let raw: Storage;
let sealed: Storage;
beforeEach(async () => {
  raw = createMemoryStorage();
  sealed = createSealedStorage(raw, { keys: countingKeys() });
  await createCharged(sealed, fullRecord(1));
  await createCharged(sealed, fullRecord(2));
});

/** Saves a reading through the sealing layer. */
async function givenReading(n: number, fileId: string): Promise<void> {
  const version = (await raw.verifications.find(CLIENT, verificationId(n)))?.version ?? 0;
  expect(await sealed.readings.save(reading(n, fileId), version)).toBe(true);
}

test('the storage never receives what was read, and the layer returns it', async () => {
  await givenReading(1, 'a');
  expect(JSON.stringify(await raw.readings.find(place(1)))).not.toContain(SECRET_NAME);
  expect(await sealed.readings.find(place(1))).toEqual([reading(1, 'a')]);
});

test('no reading is saved for an unknown verification', async () => {
  expect(await sealed.readings.save(reading(9, 'a'), 1)).toBe(false);
});

test('find: readings of a verification without a data key are NO_DATA_KEY', async () => {
  await createCharged(sealed, aRecord(3));
  expect(await raw.readings.save(reading(3, 'a'), 1)).toBe(true);
  await expect(sealed.readings.find(place(3))).rejects.toMatchObject({
    name: 'SealingError',
    code: 'NO_DATA_KEY',
    message: `Verification ${verificationId(3)} has readings, but no key that they would be sealed by`,
    verificationId: verificationId(3),
  });
});

describe('a read rejects with the id of the verification', () => {
  type Change = (records: readonly ReadingRecord[]) => Promise<readonly ReadingRecord[]>;
  const of = (records: readonly ReadingRecord[], data: ReadingRecord['data'] | undefined) =>
    records.map((record) => ({ ...record, data: data ?? {} }));
  const tamperings: [name: string, code: string, change: Change][] = [
    ['where what was read is in the clear', 'NOT_SEALED', async (records) => of(records, { lastName: 'x' })],
    ['where it was emptied', 'NOT_SEALED', async (records) => of(records, {})],
    [
      'where it was copied from another file',
      'DAMAGED',
      async (records) => of(records.slice(0, 1), records[1]?.data),
    ],
    [
      'where it was copied from another verification',
      'DAMAGED',
      async (records) => of(records, (await raw.readings.find(place(2)))[0]?.data),
    ],
  ];

  test.each(tamperings)('%s', async (_, code, change) => {
    await givenReading(1, 'a');
    await givenReading(1, 'b');
    await givenReading(2, 'a');
    const changed = await change(await raw.readings.find(place(1)));
    const inner: Storage = { ...raw, readings: { ...raw.readings, find: async () => changed } };
    const tampered = createSealedStorage(inner, { keys: countingKeys() });
    await expect(tampered.readings.find(place(1))).rejects.toMatchObject({
      code,
      verificationId: verificationId(1),
    });
  });
});
