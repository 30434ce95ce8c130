import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEvidenceFolder, createFileEvidenceStore } from '@countersign/evidence';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test } from 'vitest';
import { copyEvidence } from './copy-evidence.ts';

const place = (fileId: string) => ({ clientId: 'client-1', verificationId: 'verification-1', fileId });
const pathOf = (directory: string, fileId: string) => join(directory, 'client-1', 'verification-1', fileId);
const ignore = () => undefined;

async function given(count: number) {
  const directory = join(temporaryFolder(), 'evidence');
  const store = createFileEvidenceStore({ directory });
  for (let n = 1; n <= count; n += 1) await store.put(place(`file-${n}`), randomBytes(2_000));
  return { directory, store, files: createEvidenceFolder(directory) };
}

/** Cuts off the last byte of a file. */
function damage(file: string): void {
  writeFileSync(file, readFileSync(file).subarray(0, -1));
}

test('copyEvidence: copies every file, and a second run only compares', async () => {
  const [from, to] = [await given(10), await given(0)];
  const progress: number[] = [];
  const copied = await copyEvidence(from.files, to.files, ({ done }) => progress.push(done));
  expect(copied).toMatchObject({ files: 10, written: 10, damaged: [], others: 0 });
  expect(progress.at(-1)).toBe(10);
  for (let n = 1; n <= 10; n += 1) {
    expect(await to.store.get(place(`file-${n}`))).toEqual(await from.store.get(place(`file-${n}`)));
  }
  expect(await copyEvidence(from.files, to.files, ignore)).toEqual({ ...copied, written: 0 });
});

test('copyEvidence: copies thumbnails with their files', async () => {
  const [from, to] = [await given(1), await given(0)];
  await from.store.put(place('file-1-thumbnail'), randomBytes(200));
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({ files: 2, written: 2 });
  for (const id of ['file-1', 'file-1-thumbnail'])
    expect(await to.store.get(place(id))).toEqual(await from.store.get(place(id)));
});

test('copyEvidence: goes on after it was interrupted', async () => {
  const [from, to] = [await given(10), await given(0)];
  const interrupted = copyEvidence(from.files, to.files, () => {
    throw new Error('interrupted');
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({ files: 10, written: 6 });
});

test('copyEvidence: replaces a damaged file of the target, and copies the others', async () => {
  const [from, to] = [await given(3), await given(0)];
  await copyEvidence(from.files, to.files, ignore);
  damage(pathOf(to.directory, 'file-1'));
  rmSync(pathOf(to.directory, 'file-3'));
  const copied = await copyEvidence(from.files, to.files, ignore);
  expect(copied).toMatchObject({ files: 3, written: 2, damaged: [], conflicts: [] });
  expect(await to.store.get(place('file-1'))).toEqual(await from.store.get(place('file-1')));
});

test('copyEvidence: keeps a sound copy of a file that was damaged in the source later', async () => {
  const [from, to] = [await given(2), await given(0)];
  await copyEvidence(from.files, to.files, ignore);
  const content = await to.store.get(place('file-1'));
  damage(pathOf(from.directory, 'file-1'));
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({
    written: 0,
    damaged: [],
    conflicts: [],
  });
  expect(await to.store.get(place('file-1'))).toEqual(content);
});

test('copyEvidence: leaves another sound file in the target as it is, names it, and copies the others', async () => {
  const [from, to] = [await given(3), await given(0)];
  const other = randomBytes(100);
  await to.store.put(place('file-1'), other);
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({
    files: 3,
    written: 2,
    conflicts: ['client-1/verification-1/file-1'],
  });
  expect(Buffer.from((await to.store.get(place('file-1'))) ?? [])).toEqual(other);
});

test('copyEvidence: copies a damaged file as it is and names it', async () => {
  const [from, to] = [await given(2), await given(0)];
  const file = pathOf(from.directory, 'file-2');
  damage(file);
  const path = 'client-1/verification-1/file-2';
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({ files: 2, damaged: [path] });
  expect(readFileSync(pathOf(to.directory, 'file-2'))).toEqual(readFileSync(file));
});

test('copyEvidence: leaves files of the target that the source does not have, and counts them', async () => {
  const [from, to] = [await given(3), await given(0)];
  await copyEvidence(from.files, to.files, ignore);
  rmSync(pathOf(from.directory, 'file-2'));
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({ files: 2, others: 1 });
  expect(await to.store.get(place('file-2'))).not.toBeNull();
});
