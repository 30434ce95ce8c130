import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { sqliteDatabases } from '../../test-support/databases.ts';
import { connectSqlite, isDamage, whileBusy } from './sqlite-connection.ts';

it('a connection to a file has the settings of the storage', async () => {
  const databases = await sqliteDatabases();
  const database = await databases.fresh();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  // The first connection sets the journal mode. Only then a new one begins with `synchronous = NORMAL`.
  (await connectSqlite(database.file)).close();
  const connection = await connectSqlite(database.file);
  const settings = ['journal_mode', 'cache_size', 'synchronous', 'foreign_keys', 'secure_delete', 'busy_timeout'];
  expect(settings.map((name) => connection.pragma(name, { simple: true }))).toEqual(['wal', -500, 2, 1, 1, 25]);
  connection.close();
  await databases.close();
});

it('a connection to a file that is not a database is closed, and the call rejects with SERVICE_UNAVAILABLE', async () => {
  const databases = await sqliteDatabases();
  const database = await databases.fresh();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  writeFileSync(database.file, 'no database '.repeat(100));
  const close = vi.spyOn(Database.prototype, 'close');
  await expect(connectSqlite(database.file)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(close).toHaveBeenCalledOnce();
  await databases.close();
});

const sqliteError = (code: string) => new Database.SqliteError('it failed', code);

it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])(
  'a lock of SQLite: %s is tried again',
  async (code) => {
    let attempts = 0;
    const answer = await whileBusy(() => {
      attempts += 1;
      if (attempts < 3) throw sqliteError(code);
      return 'done';
    });
    expect([answer, attempts]).toEqual(['done', 3]);
  },
);

it.each([
  'SQLITE_FULL',
  'SQLITE_IOERR_READ',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
])('an outage of SQLite: %s becomes SERVICE_UNAVAILABLE and is not retried', async (code) => {
  let attempts = 0;
  const cause = sqliteError(code);
  const failed = whileBusy(() => {
    attempts += 1;
    throw cause;
  });
  await expect(failed).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The database cannot be read or written',
    cause,
  });
  expect(attempts).toBe(1);
});

it.each([
  sqliteError('SQLITE_CONSTRAINT'),
  sqliteError('OF_SQLITE_BUSY'),
  sqliteError('OF_SQLITE_FULL'),
  Object.assign(new Error('not of SQLite'), { code: 'SQLITE_BUSY' }),
  Object.assign(new Error('not of SQLite'), { code: 'SQLITE_FULL' }),
])('an error of another kind is thrown unchanged: %s', async (error) => {
  await expect(
    whileBusy(() => {
      throw error;
    }),
  ).rejects.toBe(error);
});

it('isDamage: true only for SQLite errors about the structure of the file', () => {
  expect(isDamage(sqliteError('SQLITE_CORRUPT_INDEX'))).toBe(true);
  expect(isDamage(sqliteError('SQLITE_NOTADB'))).toBe(true);
  expect(isDamage(sqliteError('SQLITE_FULL'))).toBe(false);
  expect(isDamage(sqliteError('OF_SQLITE_CORRUPT'))).toBe(false);
  expect(isDamage(Object.assign(new Error('not of SQLite'), { code: 'SQLITE_CORRUPT' }))).toBe(false);
});
