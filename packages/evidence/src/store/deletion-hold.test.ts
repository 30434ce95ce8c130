import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidencePlace } from '@countersign/domain/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test } from 'vitest';
import { createEvidenceFolder } from './evidence-folder.ts';
import { createFileEvidenceStore } from './file-evidence-store.ts';

const PLACE: EvidencePlace = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
const FUTURE = new Date('2100-01-01T00:00:00Z');
const CONTENT = Uint8Array.of(1, 2, 3);

function given() {
  const directory = join(temporaryDirectory(onTestFinished), 'evidence');
  return { directory, store: createFileEvidenceStore({ directory }) };
}

async function listed(store: ReturnType<typeof createFileEvidenceStore>): Promise<number> {
  let count = 0;
  for await (const _ of store.listWrittenBefore(FUTURE)) count += 1;
  return count;
}

async function pathsIn(directory: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of createEvidenceFolder(directory).list()) paths.push(path);
  return paths;
}

test('a hold keeps delete from removing files and tidying from listing them; after it both work', async () => {
  const { directory, store } = given();
  await store.put(PLACE, CONTENT);
  const hold = await createEvidenceFolder(directory).holdDeletions();

  await store.delete(PLACE);
  expect([await store.get(PLACE), await listed(store)]).toEqual([CONTENT, 0]);
  expect(await pathsIn(directory)).toEqual(['client-1/verification-1/file-1']);
  expect(await store.filesOf(PLACE), 'so that no erasure counts as finished').toEqual([PLACE]);

  await hold.release();
  await hold.release();
  expect(await listed(store)).toBe(1);
  await store.delete(PLACE);
  expect(await store.get(PLACE)).toBeNull();
});

test('a hold of a killed process ends after ten minutes', async () => {
  const { directory, store } = given();
  await store.put(PLACE, CONTENT);
  const hold = await createEvidenceFolder(directory).holdDeletions();
  const [file = ''] = readdirSync(join(directory, '.holds'));
  const longAgo = new Date(Date.now() - 11 * 60 * 1_000);
  utimesSync(join(directory, '.holds', file), longAgo, longAgo);

  await store.delete(PLACE);

  expect(await store.get(PLACE)).toBeNull();
  expect(readdirSync(join(directory, '.holds'))).toEqual([]);
  await hold.release();
});

test('two holds: files are deleted after both are released', async () => {
  const { directory, store } = given();
  await store.put(PLACE, CONTENT);
  const [first, second] = [
    await createEvidenceFolder(directory).holdDeletions(),
    await createEvidenceFolder(directory).holdDeletions(),
  ];
  await first.release();
  await store.delete(PLACE);
  expect(await store.get(PLACE)).toEqual(CONTENT);
  await second.release();
});
