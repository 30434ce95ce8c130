import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEvidenceFolder, createFileEvidenceStore } from '@countersign/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test } from 'vitest';
import { copyEvidence } from './copy-evidence.ts';

const place = (fileId: string) => ({ clientId: 'client-1', verificationId: 'verification-1', fileId });
const pathOf = (directory: string, fileId: string) => join(directory, 'client-1', 'verification-1', fileId);
const ignore = () => undefined;

async function given(count: number) {
  const directory = join(temporaryDirectory(onTestFinished), 'evidence');
  const store = createFileEvidenceStore({ directory });
  for (let n = 1; n <= count; n += 1) await store.put(place(`file-${n}`), randomBytes(2_000));
  return { directory, store, files: createEvidenceFolder(directory) };
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

test('copyEvidence: goes on after it was interrupted', async () => {
  const [from, to] = [await given(10), await given(0)];
  const interrupted = copyEvidence(from.files, to.files, () => {
    throw new Error('interrupted');
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  expect(await copyEvidence(from.files, to.files, ignore)).toMatchObject({ files: 10, written: 6 });
});

test('copyEvidence: rejects a file of the target that differs, and names both places', async () => {
  const [from, to] = [await given(2), await given(0)];
  await copyEvidence(from.files, to.files, ignore);
  const file = pathOf(to.directory, 'file-1');
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  await expect(copyEvidence(from.files, to.files, ignore)).rejects.toThrow(
    `File client-1/verification-1/file-1 in ${to.directory} differs from that in ${from.directory}`,
  );
});

test('copyEvidence: copies a damaged file as it is and names it', async () => {
  const [from, to] = [await given(2), await given(0)];
  const file = pathOf(from.directory, 'file-2');
  writeFileSync(file, readFileSync(file).subarray(0, -1));
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
