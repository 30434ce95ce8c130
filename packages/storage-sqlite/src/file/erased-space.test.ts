// Fills files of megabytes, so that pages become free.
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { aRequestedErasure, ERASED_AT } from '../../test-support/erasures.ts';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { run, runBy } from '../../test-support/process.ts';
import { aCreateRequest, CLIENT } from '../../test-support/records.ts';
import { createSqliteStorage, type SqliteStorage } from '../sqlite-storage.ts';
import { missingSpace } from './erased-space.ts';

async function givenStorage(file: string, options: { lockWaitMs?: number } = {}): Promise<SqliteStorage> {
  const storage = await createSqliteStorage({ file, ...options });
  onTestFinished(() => storage.close());
  return storage;
}

/** Rejects and erases the `n`th verification. */
async function erase(storage: SqliteStorage, n: number): Promise<void> {
  const { record } = aCreateRequest(n);
  const place = { clientId: record.clientId, verificationId: record.id };
  const found = await storage.retention.find(place);
  if (found === null) throw new Error(`${record.id} is missing`);
  const begun = { ...found, status: 'rejected', resolvedAt: ERASED_AT, erasedAt: ERASED_AT, version: 2 } as const;
  await storage.retention.change({ verification: begun, expectedVersion: 1, events: [] });
  const erased = await storage.retention.erase(aRequestedErasure({ ...place, expectedVersion: 2, number: null }));
  expect(erased.outcome).toBe('erased');
}

async function givenErased(count = 2): Promise<{ file: string; storage: SqliteStorage }> {
  const file = await givenDatabase(onTestFinished, { verifications: count });
  const storage = await givenStorage(file);
  await erase(storage, 1);
  return { file, storage };
}

it('find: knows after a restart that erased values may still be in the file', async () => {
  const { file, storage } = await givenErased();
  await storage.close();

  const again = await givenStorage(file);
  expect(await again.erasedSpace.find()).toEqual({ erasures: 1, since: ERASED_AT, isSmall: true });
  expect(await again.erasedSpace.clear()).toMatchObject({ outcome: 'cleared', erasures: 1 });
  expect(await again.erasedSpace.find()).toEqual({ erasures: 0, since: null, isSmall: true });
});

it('clear: does nothing without an erasure, and empties the write-ahead log after one', async () => {
  const { file, storage } = await givenErased();
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);

  await storage.erasedSpace.clear();

  // What the write-ahead log has is the removal of the mark alone.
  expect(statSync(`${file}-wal`).size).toBeLessThan(5 * 4_200);
  expect(await storage.erasedSpace.clear()).toEqual({ outcome: 'nothing_to_clear' });
});

it('clear: an erasure that commits meanwhile needs another run', async () => {
  const { storage } = await givenErased(3);

  const clearing = storage.erasedSpace.clear();
  await erase(storage, 2);

  expect(await clearing).toMatchObject({ outcome: 'cleared', erasures: 1 });
  expect(await storage.erasedSpace.find()).toMatchObject({ erasures: 1, since: ERASED_AT });
});

it('clear: writes wait and succeed, and reads are answered meanwhile', async () => {
  const { storage } = await givenErased();
  const order: string[] = [];

  const clearing = storage.erasedSpace.clear().then(() => order.push('cleared'));
  const writing = storage.verifications
    .createCharged(aCreateRequest(3))
    .then(({ outcome }) => order.push(outcome));
  await storage.clients.usedIn(CLIENT.id, '2026-03');
  order.push('read');
  await Promise.all([clearing, writing]);

  expect(order).toEqual(['read', 'created', 'cleared']);
});

it('clear: a write that waits longer than it may gets SERVICE_UNAVAILABLE', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 2 });
  const storage = await givenStorage(file, { lockWaitMs: 0 });
  await erase(storage, 1);
  const waiting = storage.erasedSpace.clear();

  await expect(storage.verifications.createCharged(aCreateRequest(3))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });

  expect((await waiting).outcome).toBe('cleared');
});

it('clear: of two processes, one clears the file and the other gets `busy`', async () => {
  const { file, storage } = await givenErased();
  const other = await givenStorage(file);

  const outcomes = await Promise.all([storage.erasedSpace.clear(), other.erasedSpace.clear()]);

  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['busy', 'cleared']);
});

it('clear: is busy while a reader uses the write-ahead log, and still has to be done', async () => {
  const { file, storage } = await givenErased();
  const reader = rawConnection(onTestFinished, file);
  reader.exec('BEGIN; SELECT count(*) FROM verifications');
  reader.prepare('SELECT count(*) FROM verifications').get();

  expect(await storage.erasedSpace.clear()).toEqual({ outcome: 'busy' });
  expect(await storage.erasedSpace.find()).toMatchObject({ erasures: 1 });

  reader.exec('COMMIT');
  expect(await storage.erasedSpace.clear()).toMatchObject({ outcome: 'cleared' });
});

it.each<[string, { inMemory: boolean }, Record<string, number>, string | undefined]>([
  ['the folder of the database', { inMemory: true }, { data: 8_000_000, tmp: 99e9 }, 'data'],
  ['the temporary folder', { inMemory: false }, { data: 99e9, tmp: 8_000_000 }, 'tmp'],
  ['no folder', { inMemory: false }, { data: 99e9, tmp: 99e9 }, undefined],
])('missingSpace: names %s', async (_, options, free, expected) => {
  const file = await givenDatabase(onTestFinished);
  const isData = (folder: string) => file.startsWith(`${folder}/`);
  const freeOf = (folder: string) =>
    isData(folder) ? { disk: 1, freeBytes: free.data ?? 0 } : { disk: 2, freeBytes: free.tmp ?? 0 };

  const missing = missingSpace(file, { ...options, temporaryFolders: [] }, freeOf);

  const found = missing && (isData(missing.folder) ? 'data' : 'tmp');
  expect(found).toBe(expected);
});

it('missingSpace: one disk needs room for both copies', async () => {
  const file = await givenDatabase(onTestFinished);
  const { size } = statSync(file);
  const freeBytes = size + 9_000_000;
  const freeOf = () => ({ disk: 1, freeBytes });
  const one = missingSpace(file, { inMemory: true, temporaryFolders: [] }, freeOf);
  const both = missingSpace(file, { inMemory: false, temporaryFolders: [] }, freeOf);
  expect([one, both]).toEqual([
    undefined,
    { folder: expect.any(String), neededBytes: 2 * (size + 8_000_000), freeBytes },
  ]);
});

it('missingSpace: checks the folder that the environment names', async () => {
  const file = await givenDatabase(onTestFinished);
  const folder = temporaryDirectory(onTestFinished);
  const options = { inMemory: false, temporaryFolders: [folder] };
  const missing = missingSpace(file, options, (of) => ({
    disk: of === folder ? 2 : 1,
    freeBytes: of === folder ? 1 : 99e9,
  }));
  expect(missing).toMatchObject({ folder, freeBytes: 1 });
});

const CLEAR = `
  import { createSqliteStorage } from './src/index.ts';
  const storage = await createSqliteStorage({ file: process.argv[1] });
  console.log('clearing');
  console.log(JSON.stringify(await storage.erasedSpace.clear().catch(({ code }) => code)));
  await storage.close();
`;

it('clear: killed at any moment, it loses nothing, and the next one succeeds', { timeout: 120_000 }, async () => {
  const { file, storage } = await givenErased(200);
  await storage.close();
  const raw = rawConnection(() => undefined, file);
  raw.exec("UPDATE verifications SET metadata = json_object('a', printf('%100000d', 1)) WHERE erased_at IS NULL");
  raw.close();
  const rows = () => {
    const connection = rawConnection(() => undefined, file);
    const count = connection
      .prepare('SELECT count(*) FROM verifications WHERE length(metadata) > 100000')
      .pluck()
      .get();
    const integrity = connection.pragma('integrity_check', { simple: true });
    connection.close();
    return [count, integrity];
  };
  const { size } = statSync(file);
  const logSize = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  // While it copies into memory, and while it writes the log.
  for (const logged of [0, 1, size / 2]) {
    const clearing = run(onTestFinished, CLEAR, [file]);
    await clearing.said('clearing');
    while (logSize() < logged && clearing.child.exitCode === null) await pause(1);
    clearing.child.kill('SIGKILL');
    const { output } = await clearing.ended;
    expect([output, rows()], `killed at ${logged}`).toEqual(['clearing\n', [199, 'ok']]);
  }

  const again = await givenStorage(file);
  expect(await again.erasedSpace.clear()).toMatchObject({ outcome: 'cleared', erasures: 1 });
  expect(rows()).toEqual([199, 'ok']);
});

it('clear: on a full disk it fails with SERVICE_UNAVAILABLE, and the file is as before', {
  timeout: 60_000,
}, async () => {
  const { file, storage } = await givenErased(4_000);
  await storage.close();
  const limited = runBy('prlimit', `--fsize=${statSync(file).size / 2}`);

  const { output, errors } = await limited(onTestFinished, CLEAR, [file]).ended;

  expect([output, errors]).toEqual(['clearing\n"SERVICE_UNAVAILABLE"\n', '']);
  const again = await givenStorage(file);
  expect(await again.erasedSpace.find()).toMatchObject({ erasures: 1 });
  expect((await again.inspect()).integrity).toBe('ok');
  expect((await again.erasedSpace.clear()).outcome).toBe('cleared');
});
