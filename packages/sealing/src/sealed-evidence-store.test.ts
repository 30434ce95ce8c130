import type { EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFilesInMemory, type FilesInMemory } from '../test-support/files-in-memory.ts';
import { NEW, OLD } from '../test-support/keys.ts';
import { aRecord, CLIENT, createCharged, verificationId } from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import { rotateDataKeys } from './rotate-data-keys.ts';
import { createSealedEvidenceStore } from './sealed-evidence-store.ts';

const keys = createKeyRing([OLD]);
const place = (n: number, fileId: string): EvidencePlace => ({
  clientId: CLIENT,
  verificationId: verificationId(n),
  fileId,
});
const content = Buffer.from('a picture of a passport');

let storage: Storage;
let files: FilesInMemory;
let sealed: EvidenceStore;
beforeEach(async () => {
  storage = createMemoryStorage();
  await createCharged(storage, aRecord(1));
  await createCharged(storage, aRecord(2));
  files = createFilesInMemory();
  sealed = createSealedEvidenceStore(files, { keys, dataKeys: storage.dataKeys });
});

test('sealed evidence store: get returns any content as it was put', async () => {
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      n += 1;
      await sealed.put(place(1, `file-${n}`), bytes);
      expect(new Uint8Array((await sealed.get(place(1, `file-${n}`))) ?? [])).toEqual(bytes);
    }),
  );
});

test('sealed evidence store: get returns the largest file', async () => {
  const large = Buffer.alloc(10 * 1024 * 1024, 'evidence');
  await sealed.put(place(1, 'large'), large);
  expect(large.equals((await sealed.get(place(1, 'large'))) ?? Buffer.alloc(0))).toBe(true);
});

test('sealed evidence store: the inner store receives a header and no plain content', async () => {
  await sealed.put(place(1, 'a'), content);
  await sealed.put(place(1, 'b'), content);
  const [first, second] = [files.at(place(1, 'a')), files.at(place(1, 'b'))];
  for (const bytes of [first, second]) {
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('csealed\u0001');
    expect(bytes.toString('latin1')).not.toMatch(/picture|passport/);
  }
  expect(first.subarray(8, 20)).not.toEqual(second.subarray(8, 20));
});

test('sealed evidence store: files and values of a verification share its data key', async () => {
  await sealed.put(place(1, 'a'), content);
  const dataKey = await storage.dataKeys.find(CLIENT, verificationId(1));
  expect(dataKey?.wrappedBy).toBe(keys.newest);
  await Promise.all(Array.from({ length: 10 }, (_, n) => sealed.put(place(1, `file-${n}`), content)));
  expect(await storage.dataKeys.find(CLIENT, verificationId(1))).toEqual(dataKey);
});

test('sealed evidence store: the first files of a verification, put at the same time, can all be read', async () => {
  const places = Array.from({ length: 10 }, (_, n) => place(2, `file-${n}`));
  await Promise.all(places.map((each) => sealed.put(each, content)));
  const read = await Promise.all(places.map((each) => sealed.get(each)));
  expect(read.every((bytes) => content.equals(bytes ?? Buffer.alloc(0)))).toBe(true);
});

test('sealed evidence store: without the newest secret, get and put are SERVICE_UNAVAILABLE with UNKNOWN_KEY as cause', async () => {
  await sealed.put(place(1, 'a'), content);
  await rotateDataKeys({ dataKeys: storage.dataKeys, keys: createKeyRing([NEW, OLD]) });
  const unavailable = {
    code: 'SERVICE_UNAVAILABLE',
    cause: { name: 'SealingError', code: 'UNKNOWN_KEY', verificationId: verificationId(1) },
  };
  await expect(sealed.get(place(1, 'a'))).rejects.toMatchObject(unavailable);
  await expect(sealed.put(place(1, 'b'), content)).rejects.toMatchObject(unavailable);
  expect(files.count()).toBe(1);
  const restarted = createSealedEvidenceStore(files, {
    keys: createKeyRing([NEW, OLD]),
    dataKeys: storage.dataKeys,
  });
  expect(content.equals((await restarted.get(place(1, 'a'))) ?? Buffer.alloc(0))).toBe(true);
});

test('sealed evidence store: opens a stored example of this format', async () => {
  const dataKey = await keys.wrap(Buffer.alloc(32, 7), { clientId: 'client-1', verificationId: 'verification-1' });
  const store = createSealedEvidenceStore(files, {
    keys,
    dataKeys: { find: async () => dataKey, replace: async () => ({ outcome: 'conflict' }) },
  });
  const golden = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
  const bytes = 'Y3NlYWxlZAGu_4wtbMe_TUhgqx1ZnUKJkQLkh0LT7qKYgFlGi86O9RRV_g';
  await files.put(golden, Buffer.from(bytes, 'base64url'));
  expect(Buffer.from((await store.get(golden)) ?? []).toString()).toBe('picture');
});

test('sealed evidence store: put rejects for an unknown verification and stores nothing', async () => {
  await expect(sealed.put(place(9, 'a'), content)).rejects.toMatchObject({
    code: 'NO_VERIFICATION',
    verificationId: 'verification-0009',
    fileId: 'a',
  });
  expect(files.count()).toBe(0);
});

test('sealed evidence store: get returns null for a missing file without asking for a key', async () => {
  expect(await sealed.get(place(1, 'a'))).toBeNull();
  expect(await storage.dataKeys.find(CLIENT, verificationId(1))).toBeNull();
});

describe('sealed evidence store: get refuses a file', () => {
  const refusal = async (code: string) => {
    const fault: unknown = await sealed.get(place(1, 'a')).catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'SealingError', code });
    expect(String(fault)).toContain(`File a of verification ${verificationId(1)}`);
  };
  beforeEach(() => sealed.put(place(1, 'a'), content));

  test('get refuses a file with any changed byte', async () => {
    const bytes = files.at(place(1, 'a'));
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await files.put(place(1, 'a'), changed);
      await refusal(at < 8 ? 'NOT_SEALED' : 'DAMAGED');
    }
  });

  test.each([0, 7, 8, 20, 35, -1])('get refuses a file that was cut at %d', async (at) => {
    await files.put(place(1, 'a'), files.at(place(1, 'a')).subarray(0, at));
    await refusal(at >= 0 && at < 8 ? 'NOT_SEALED' : 'DAMAGED');
  });

  test.each([place(1, 'b'), place(2, 'a')])('get refuses a file that was put as %j', async (other) => {
    await sealed.put(other, content);
    await files.put(place(1, 'a'), files.at(other));
    await refusal('DAMAGED');
  });

  test('stored as plain text', async () => {
    await files.put(place(1, 'a'), content);
    await refusal('NOT_SEALED');
  });

  test('get refuses a file whose verification has no data key', async () => {
    await files.put(place(2, 'a'), files.at(place(1, 'a')));
    await expect(sealed.get(place(2, 'a'))).rejects.toMatchObject({ code: 'NO_DATA_KEY' });
  });
});
