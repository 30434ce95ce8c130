import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidencePlace } from '@countersign/domain/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test } from 'vitest';
import { createEvidenceFolder } from './evidence-folder.ts';
import { createFileEvidenceStore } from './file-evidence-store.ts';

const PLACE: EvidencePlace = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
const PATH = 'client-1/verification-1/file-1';
const CONTENT = Uint8Array.of(1, 2, 3);

function given() {
  const directory = join(temporaryDirectory(onTestFinished), 'evidence');
  return { directory, files: createEvidenceFolder(directory), store: createFileEvidenceStore({ directory }) };
}

async function* chunksOf(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function bytesAt(files: ReturnType<typeof createEvidenceFolder>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await files.read(PATH)) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('evidence folder: contentBytesOf finds stored files only, with the size of their content', async () => {
  const { files, store } = given();
  expect(await files.contentBytesOf(PLACE)).toEqual(new Map());
  await store.put(PLACE, CONTENT);
  expect(await files.contentBytesOf(PLACE)).toEqual(new Map([['file-1', CONTENT.byteLength]]));
  expect(await files.contentBytesOf({ ...PLACE, verificationId: '../verification-1' })).toEqual(new Map());
});

test('evidence folder: a file that is read and written into another folder has the same content there', async () => {
  const { files, store } = given();
  const other = given();
  await store.put(PLACE, CONTENT);
  expect(await other.files.write(PATH, (await files.read(PATH)) ?? chunksOf())).toBe(true);
  expect(await other.store.get(PLACE)).toEqual(CONTENT);
  const listed: unknown[] = [];
  for await (const file of other.files.list()) listed.push(file);
  expect(listed).toEqual([{ path: PATH, bytes: (await bytesAt(files)).byteLength }]);
});

test('evidence folder: write keeps a file that is there, and replaces it if asked to', async () => {
  const { files } = given();
  expect(await files.write(PATH, chunksOf(Uint8Array.of(1), Uint8Array.of(2)))).toBe(true);
  expect(await files.write(PATH, chunksOf(Uint8Array.of(9)))).toBe(false);
  expect(await bytesAt(files)).toEqual(Buffer.of(1, 2));
  expect(await files.write(PATH, chunksOf(Uint8Array.of(9)), { replace: true })).toBe(true);
  expect(await bytesAt(files)).toEqual(Buffer.of(9));
});

test('evidence folder: write and read reach no path outside the folder', async () => {
  const { directory, files } = given();
  await expect(files.write('../b/c', chunksOf(CONTENT))).rejects.toThrow('path');
  expect(await files.read('../b/c')).toBeNull();
  expect(await files.read('a/b/c')).toBeNull();
  expect(existsSync(directory)).toBe(false);
});
