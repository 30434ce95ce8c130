import type { DataKeyRepository, Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { commitNext } from '@countersign/test-support/records/verification';
import { beforeEach, describe, expect, test } from 'vitest';
import { NEW, OLD } from '../test-support/keys.ts';
import { ANSWERS, aRecord, CLIENT, createCharged, REVIEW_DATA, verificationId } from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import type { RotationProgress } from './rewrap-all.ts';
import { rotateDataKeys } from './rotate-data-keys.ts';
import { createSealedStorage } from './sealed-storage.ts';

const oldRing = createKeyRing([OLD]);
const bothRing = createKeyRing([NEW, OLD]);
const newRing = createKeyRing([NEW]);

let raw: Storage;
beforeEach(() => {
  raw = createMemoryStorage();
});

const full = (n: number) => aRecord(n, { answers: ANSWERS, reviewData: REVIEW_DATA });

/** Creates verifications `1` to `count` sealed with the old key, and as many fresh ones after them. */
async function givenSealed(count: number): Promise<void> {
  const sealed = createSealedStorage(raw, { keys: oldRing });
  for (let n = 1; n <= count; n += 1) {
    await createCharged(sealed, full(n));
    await createCharged(sealed, aRecord(count + n));
  }
}

async function readableWith(keys: typeof newRing, count: number): Promise<void> {
  const { verifications } = createSealedStorage(raw, { keys });
  for (let n = 1; n <= count; n += 1) {
    expect(await verifications.find(CLIENT, verificationId(n))).toMatchObject({
      answers: ANSWERS,
      reviewData: REVIEW_DATA,
    });
  }
}

test('rotation: afterwards the newest key alone reads everything, and only data keys have changed', async () => {
  await givenSealed(25);
  const before = await Promise.all(
    Array.from({ length: 50 }, (_, n) => raw.verifications.find(CLIENT, verificationId(n + 1))),
  );
  const reports: RotationProgress[] = [];

  const result = await rotateDataKeys({
    dataKeys: raw.dataKeys,
    keys: bothRing,
    pageSize: 10,
    onProgress: (at) => reports.push(at),
  });

  expect(result).toEqual({ rewrapped: 25 });
  expect(reports).toEqual([0, 10, 20, 25].map((done) => ({ done, total: 25 })));
  await readableWith(newRing, 25);
  const after = await Promise.all(before.map((record) => raw.verifications.find(CLIENT, record?.id ?? '')));
  const withoutKey = (records: typeof before) =>
    records.map((record) => ({ ...record, dataKey: record?.dataKey !== null }));
  expect(withoutKey(after)).toEqual(withoutKey(before));
});

test('rotation: a second run re-wraps nothing', async () => {
  await givenSealed(3);
  await rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing });
  const reports: RotationProgress[] = [];
  const again = await rotateDataKeys({
    dataKeys: raw.dataKeys,
    keys: bothRing,
    onProgress: (at) => reports.push(at),
  });
  expect(again).toEqual({ rewrapped: 0 });
  expect(reports).toEqual([{ done: 0, total: 0 }]);
});

test('rotation: an interrupted run continues where it stopped', async () => {
  await givenSealed(25);
  let left = 12;
  const failing: DataKeyRepository = {
    ...raw.dataKeys,
    replace: async (change) => {
      left -= 1;
      if (left < 0) throw new Error('the power went');
      return raw.dataKeys.replace(change);
    },
  };
  await expect(rotateDataKeys({ dataKeys: failing, keys: bothRing, pageSize: 5 })).rejects.toThrow(
    'the power went',
  );
  await readableWith(bothRing, 25);

  expect(await rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing })).toEqual({ rewrapped: 13 });
  await readableWith(newRing, 25);
});

test('rotation: of two runs at once, only one re-wraps each data key', async () => {
  await givenSealed(40);
  const rotations = await Promise.all(
    [7, 11].map((pageSize) => rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing, pageSize })),
  );
  expect(rotations.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(40);
  await readableWith(newRing, 40);
});

test('rotation: under load, 500 verifications, some of them new, all changed meanwhile', async () => {
  await givenSealed(250);
  const writers = [oldRing, bothRing].map((keys) =>
    createSealedStorage(raw, { keys: keys === oldRing ? createKeyRing([OLD, NEW]) : keys }),
  );
  let isRotating = true;
  const commits = { made: 0 };

  async function writeAll(storage: Storage, from: number): Promise<void> {
    for (let n = from; n <= 500; n += 2) {
      const found = await storage.verifications.find(CLIENT, verificationId(n));
      if (found === null) throw new Error(`no verification ${n}`);
      const { outcome } = await commitNext(storage, { ...full(n), version: found.version });
      if (outcome === 'committed' && isRotating) commits.made += 1;
    }
  }

  const writing = Promise.all(writers.map((storage, index) => writeAll(storage, index + 1)));
  await rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing, pageSize: 10 });
  isRotating = false;
  await writing;

  // The next rotation handles keys that a server with an older key ring wraps afterwards.
  await rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing });
  expect(commits.made).toBeGreaterThan(0);
  await readableWith(newRing, 500);
});

describe('rotation: a data key that cannot be re-wrapped', () => {
  test('a data key that cannot be unwrapped is reported, and all others are re-wrapped', async () => {
    await givenSealed(10);
    const id = verificationId(4);
    const expected = await raw.dataKeys.find(CLIENT, id);
    const next = { wrappedBy: oldRing.newest, wrapped: 'A'.repeat(80) };
    await raw.dataKeys.replace({ clientId: CLIENT, verificationId: id, expected, next });

    await expect(rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing, pageSize: 3 })).rejects.toMatchObject({
      name: 'SealingError',
      code: 'ROTATION_INCOMPLETE',
      message:
        'The rotation is not complete: 1 data key cannot be unwrapped. The data key of verification verification-0004 is damaged',
      cause: { code: 'DAMAGED' },
    });
    expect(await raw.dataKeys.countNotWrappedBy(newRing.newest)).toBe(1);
  });

  test('a data key whose wrapping key is lost for good is left as it is, and the rotation is complete', async () => {
    await givenSealed(4);
    const id = verificationId(4);
    const expected = await raw.dataKeys.find(CLIENT, id);
    const next = { wrappedBy: 'lost', wrapped: 'A'.repeat(80) };
    await raw.dataKeys.replace({ clientId: CLIENT, verificationId: id, expected, next });
    const rotation = { dataKeys: raw.dataKeys, keys: bothRing, pageSize: 3 };

    // A secret that was found again is no longer lost.
    const lostKeys = ['lost', oldRing.newest];
    expect(await rotateDataKeys({ ...rotation, lostKeys })).toEqual({ rewrapped: 3 });
    expect(await raw.dataKeys.find(CLIENT, id)).toEqual(next);
    await expect(rotateDataKeys(rotation)).rejects.toMatchObject({ code: 'ROTATION_INCOMPLETE' });
  });

  test('a damaged data key is reported, even if the key that wrapped it is named as lost', async () => {
    await givenSealed(2);
    const id = verificationId(2);
    const expected = await raw.dataKeys.find(CLIENT, id);
    const next = { wrappedBy: oldRing.newest, wrapped: 'A'.repeat(80) };
    await raw.dataKeys.replace({ clientId: CLIENT, verificationId: id, expected, next });
    const lostKeys = [oldRing.newest];
    await expect(rotateDataKeys({ dataKeys: raw.dataKeys, keys: bothRing, lostKeys })).rejects.toMatchObject({
      code: 'ROTATION_INCOMPLETE',
      cause: { code: 'DAMAGED', verificationId: id },
    });
  });

  test('a ring without the older key can re-wrap none', async () => {
    await givenSealed(4);
    await expect(rotateDataKeys({ dataKeys: raw.dataKeys, keys: newRing, pageSize: 3 })).rejects.toMatchObject({
      code: 'ROTATION_INCOMPLETE',
      message: expect.stringMatching(
        /^[^\n]* 4 data keys cannot be unwrapped\. Verification verification-0001 is sealed by/,
      ),
    });
    await readableWith(oldRing, 4);
  });

  test('a server that keeps wrapping with another key ends the rotation with an error', async () => {
    await givenSealed(4);
    const contrary: DataKeyRepository = {
      ...raw.dataKeys,
      replace: async (change) => {
        const outcome = await raw.dataKeys.replace(change);
        await raw.dataKeys.replace({ ...change, expected: change.next, next: change.expected ?? change.next });
        return outcome;
      },
    };
    await expect(rotateDataKeys({ dataKeys: contrary, keys: bothRing })).rejects.toThrow(
      'keep wrapping with another key: give all of them one SECRET_KEYS',
    );
    await readableWith(bothRing, 4);
  });
});

test('rotation: an outage of the storage ends it, and is not taken for a damaged key', async () => {
  await givenSealed(2);
  const outage = new Error('the database is down');
  const dataKeys: DataKeyRepository = { ...raw.dataKeys, replace: () => Promise.reject(outage) };
  await expect(rotateDataKeys({ dataKeys, keys: bothRing })).rejects.toBe(outage);
});
