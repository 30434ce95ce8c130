import { readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addLaterMigration, givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { createSqliteStorage, migrateSqlite } from '../sqlite-storage.ts';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open-database.ts';

const NAMES = MIGRATIONS.map(({ name }) => name);

describe('a new database', () => {
  it('a new database is created with its directory, readable by its owner only', async () => {
    const file = join(temporaryDirectory(onTestFinished), 'some', 'where', 'countersign.db');

    const storage = await createSqliteStorage({ file });

    for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(modeOf(name)).toBe(0o600);
    expect(modeOf(dirname(file))).toBe(0o700);
    expect(modeOf(dirname(dirname(file)))).toBe(0o700);
    await storage.close();
  });

  it('a new database has the application id in its header', async () => {
    const connection = rawConnection(onTestFinished, await givenDatabase(onTestFinished));

    expect(connection.pragma('application_id', { simple: true })).toBe(0x4373676e);
  });

  it('a new database is not created without `migrate`', async () => {
    const directory = temporaryDirectory(onTestFinished);
    const file = join(directory, 'data', 'countersign.db');

    const opening = createSqliteStorage({ file, migrate: false });

    await expect(opening).rejects.toMatchObject({ code: 'missing', message: `There is no database at ${file}` });

    expect(readdirSync(directory)).toEqual([]);
  });

  it('may be an empty file, or the target of a link', async () => {
    const directory = temporaryDirectory(onTestFinished);
    const file = join(directory, 'real.db');
    writeFileSync(file, '');
    symlinkSync(file, join(directory, 'link.db'));

    const storage = await createSqliteStorage({ file: join(directory, 'link.db') });

    expect((await storage.inspect()).file).toBe(file);
    await storage.close();
    expect(statSync(file).size).toBeGreaterThan(0);
  });

  it('a new database is migrated once', async () => {
    const file = join(temporaryDirectory(onTestFinished), 'countersign.db');

    expect(await migrateSqlite({ file })).toEqual(NAMES);
    expect(await migrateSqlite({ file })).toEqual([]);

    const storage = await createSqliteStorage({ file, migrate: false });
    await storage.ping();
    await storage.close();
  });
});

describe('every open', () => {
  it('sets the per-connection options of SQLite, on a new and on an existing file', async () => {
    const old = await givenDatabase(onTestFinished);

    for (const file of [join(dirname(old), 'new.db'), old]) {
      const connection = await openDatabase(file, { migrate: true, waitMs: 0 });
      const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete'];
      expect(pragmas.map((pragma) => connection.pragma(pragma, { simple: true }))).toEqual(['wal', 2, 1, 1]);
      connection.close();
    }
  });

  it('the last close leaves only the database file', async () => {
    const file = await givenDatabase(onTestFinished);

    const beside = readdirSync(dirname(file)).filter((name) => !name.endsWith('.lock'));

    expect(beside).toEqual(['countersign.db']);
  });

  it('answers pings until a newer version has changed the schema', async () => {
    const file = await givenDatabase(onTestFinished);
    const storage = await createSqliteStorage({ file });
    await storage.ping();

    addLaterMigration(rawConnection(onTestFinished, file));

    await expect(storage.ping()).rejects.toThrow('schema');
    await storage.close();
  });

  it.each([
    ['removed', (file: string) => rmSync(file)],
    ['replaced', (file: string, other: string) => renameSync(other, file)],
  ])('answers pings until its file is %s', async (_, harm) => {
    const file = await givenDatabase(onTestFinished);
    const other = await givenDatabase(onTestFinished);
    const storage = await createSqliteStorage({ file });
    await storage.ping();

    harm(file, other);

    await expect(storage.ping()).rejects.toThrow('removed or replaced');
    await storage.close();
  });

  it('inspect: reports size, version, migrations and integrity', async () => {
    const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });

    expect(await storage.inspect()).toEqual({
      file: expect.stringMatching(/countersign\.db$/),
      sizeBytes: expect.any(Number),
      sqliteVersion: expect.stringMatching(/^3\./),
      appliedMigrations: NAMES,
      pendingMigrations: [],
      rows: expect.objectContaining({ clients: 1, verifications: 1, usage: 1, api_keys: 0 }),
      dataKeysBy: {},
      integrity: 'ok',
    });
    await storage.close();
  });
});

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}
