import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { createSqliteStorage, type SqliteStorage } from '../sqlite-storage.ts';

const DAMAGED = { code: 'SERVICE_UNAVAILABLE', message: 'The database is damaged: restore a backup' };

/** A closed database that must be cleared. */
async function givenUncleared(): Promise<string> {
  const file = await givenDatabase(onTestFinished, { verifications: 2 });
  const connection = rawConnection(() => undefined, file);
  connection.exec('INSERT INTO uncleared_erasures VALUES (1, 0)');
  connection.close();
  return file;
}

async function givenStorage(file: string): Promise<SqliteStorage> {
  const storage = await createSqliteStorage({ file, migrate: false });
  onTestFinished(() => storage.close());
  return storage;
}

/** Replaces the table's only page by an empty one: its rows are lost, and SQLite reads it without an error. */
function blank(file: string, table: string): void {
  const connection = rawConnection(() => undefined, file);
  const root = connection.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(table);
  const size = Number(connection.pragma('page_size', { simple: true }));
  connection.close();
  const leaf = Buffer.alloc(size);
  leaf[0] = 0x0d;
  leaf.writeUInt16BE(size, 5);
  const content = readFileSync(file);
  leaf.copy(content, (Number(root) - 1) * size);
  writeFileSync(file, content);
}

it('clear: a database that lost rows is not rewritten, and writes stop', async () => {
  const file = await givenUncleared();
  blank(file, 'clients');
  const before = readFileSync(file);
  const storage = await givenStorage(file);

  await expect(storage.erasedSpace.clear()).rejects.toMatchObject({
    ...DAMAGED,
    cause: { message: expect.stringMatching(/wrong # of entries in index/) },
  });

  expect(storage.isSound()).toBe(false);
  expect(await storage.erasedSpace.find()).toMatchObject({ erasures: 1 });
  await storage.close();
  expect(readFileSync(file).equals(before)).toBe(true);
  const again = await givenStorage(file);
  expect(again.quickCheck().found, 'VACUUM did not hide the damage').not.toBe('ok');
});

it('clear: a database that another connection found damaged is not rewritten', async () => {
  const file = await givenUncleared();
  const before = readFileSync(file);
  const storage = await givenStorage(file);
  storage.stopWrites(new Error('page 7 is damaged'));

  await expect(storage.erasedSpace.clear()).rejects.toMatchObject(DAMAGED);

  await storage.close();
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('clear: another file that replaced the database is not rewritten', async () => {
  const file = await givenUncleared();
  const replacement = await givenDatabase(onTestFinished);
  const before = readFileSync(replacement);
  const storage = await givenStorage(file);
  copyFileSync(replacement, `${file}-new`);
  renameSync(`${file}-new`, file);

  await expect(storage.erasedSpace.clear()).rejects.toThrow(`${file} was removed or replaced`);

  expect(readFileSync(file).equals(before)).toBe(true);
  expect(storage.isSound()).toBe(true);
});
