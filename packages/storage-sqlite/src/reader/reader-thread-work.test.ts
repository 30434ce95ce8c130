// Starts threads and a process, which load the storage, and fills a file.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { FIRST_PAGE, givenThread } from '../../test-support/given-thread.ts';
import { runBy } from '../../test-support/process.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';

it('checkpoint: moves the write-ahead log into the database', async () => {
  const { file, thread } = await givenThread();
  const writer = rawConnection(onTestFinished, file);
  writer.exec("PRAGMA wal_autocheckpoint = 0; UPDATE verifications SET metadata = '{}'");
  const log = () => writer.prepare('PRAGMA wal_checkpoint(NOOP)').get();
  expect(log()).toMatchObject({ checkpointed: 0 });

  await thread.run('checkpoint');

  const { log: written, checkpointed } = log() as { log: number; checkpointed: number };
  expect(written).toBeGreaterThan(0);
  expect(checkpointed).toBe(written);
});

it('waits for running reads when it is closed, and refuses later ones', async () => {
  const { thread } = await givenThread();
  const reads = [1, 2, 3].map(() => thread.run('list', CLIENT.id, FIRST_PAGE));

  await thread.close();

  for (const { totalCount } of await Promise.all(reads)) expect(totalCount).toBe(2);
  await expect(thread.run('list', CLIENT.id, FIRST_PAGE)).rejects.toThrow('The storage is closed');
});

it('rejects while the file is missing and reads again once it is back', async () => {
  const { file, thread } = await givenThread();
  renameSync(file, `${file}-away`);
  const read = () => thread.run('list', CLIENT.id, FIRST_PAGE);

  await expect(Promise.all([read(), read()])).rejects.toThrow();
  renameSync(`${file}-away`, file);

  expect(await read()).toMatchObject({ totalCount: 2 });
});

it('uses the compile cache of the process', async () => {
  const { file } = await givenThread();
  const cache = temporaryDirectory(onTestFinished);
  const program = `
    import { createReaderThread } from './src/reader/reader-thread.ts';
    const thread = createReaderThread(process.argv[1]);
    await thread.run('checkpoint');
    await thread.close();`;
  const runWithCache = runBy('env', `NODE_COMPILE_CACHE=${cache}`);

  expect(await runWithCache(onTestFinished, program, [file]).ended).toMatchObject({ code: 0 });

  const [version = '', ...more] = readdirSync(cache);
  expect(more).toEqual([]);
  // A folder in the cache would belong to the thread alone.
  expect(
    readdirSync(join(cache, version), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  ).toEqual([]);
});

it('a damaged page that the thread meets stops the writes of the storage', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 2_000 });
  const connection = rawConnection(onTestFinished, file);
  const page = connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'verifications'").pluck().get();
  const size = Number(connection.pragma('page_size', { simple: true }));
  connection.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xee, (Number(page) - 1) * size, Number(page) * size));
  const storage = await createSqliteStorage({ file });
  const damaged = { code: 'SERVICE_UNAVAILABLE', message: 'The database is damaged: restore a backup' };

  // Sorted by step, all of them are looked up.
  const read = storage.verifications.list(CLIENT.id, { ...FIRST_PAGE, sortBy: 'currentStep' });

  await expect(read).rejects.toMatchObject(damaged);
  await expect(storage.ping()).rejects.toMatchObject(damaged);
  await storage.close();
});
