// Opens a file for each reason to refuse it.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentsOf } from '../../test-support/directory-contents.ts';
import { addLaterMigration, givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { run } from '../../test-support/process.ts';
import { createSqliteStorage, migrateSqlite } from '../sqlite-storage.ts';

describe('a refused file is not changed', () => {
  it('a file that a newer version wrote is refused and stays as it is', async () => {
    const file = await givenDatabase(onTestFinished);
    const connection = rawConnection(onTestFinished, file);
    addLaterMigration(connection);
    connection.close();

    await refuses(file, 'newer_version', 'was written by a newer version of Countersign');
  });

  it('a file of a newer version that was killed is refused and stays as it is', async () => {
    const original = await givenDatabase(onTestFinished);
    addLaterMigration(rawConnection(onTestFinished, original));
    const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
    for (const end of ['', '-wal', '-shm']) copyFileSync(original + end, file + end);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);

    // Every reader rebuilds the index of the log.
    await refuses(file, 'newer_version', 'was written by a newer version of Countersign', { but: '-shm' });
  });

  it('a file that a version before 0.2.0 made is refused and stays as it is', async () => {
    const file = await givenDatabase(onTestFinished);
    const connection = rawConnection(onTestFinished, file);
    connection.exec('UPDATE countersign_migrations SET created_at = 1795250976745');
    connection.close();

    await refuses(file, 'before_release', 'was made by a version before 0.2.0 and cannot be upgraded');
    await refuses(file, 'before_release', 'move it away to start with an empty one', { migrate: false });
  });

  it('a file whose first migration was edited since is refused and stays as it is', async () => {
    const file = await givenDatabase(onTestFinished);
    const connection = rawConnection(onTestFinished, file);
    connection.exec("UPDATE countersign_migrations SET hash = 'of another text'");
    connection.close();

    await refuses(file, 'before_release', 'was made by a version before 0.2.0 and cannot be upgraded');
  });

  it.each([
    ['one byte', Buffer.from('x')],
    ['a text', Buffer.from('not a database')],
    ['a picture', Buffer.alloc(10_000, 7)],
  ])('a file that contains %s is refused and stays as it is', async (_, bytes) => {
    const file = join(temporaryDirectory(onTestFinished), 'something');
    writeFileSync(file, bytes);

    await refuses(file, 'not_a_database', 'is not a SQLite database');
  });

  it.each(['delete', 'wal'])(
    'the database of another application, in journal mode %s, is refused and stays as it is',
    async (mode) => {
      const file = join(temporaryDirectory(onTestFinished), 'other.db');
      const connection = new Database(file);
      connection.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE clients (id)`);
      connection.close();

      await refuses(file, 'foreign_database', 'of another application');
    },
  );

  it('a file whose pages are broken is refused and stays as it is', async () => {
    const file = await givenDatabase(onTestFinished);
    const connection = new Database(file);
    const bytes = connection.serialize();
    connection.close();
    writeFileSync(file, bytes.fill(0xee, 100));

    await refuses(file, 'damaged', 'is damaged');
  });

  it('a directory is refused and stays as it is', async () => {
    const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
    mkdirSync(file);

    await refuses(file, 'unreadable', 'it is not a file');
  });

  it('a path whose part is a file is refused, and the file stays as it is', async () => {
    const file = await givenDatabase(onTestFinished);

    await refuses(join(file, 'countersign.db'), 'unreadable', 'is not a directory', { directory: dirname(file) });
  });

  it('a path whose directory cannot be created is refused', async () => {
    const opening = createSqliteStorage({ file: '/proc/self/zzz/y.db' });

    await expect(opening).rejects.toMatchObject({ name: 'SqliteOpenError', code: 'unreadable' });
    await expect(opening).rejects.toThrow(/^The database \/proc\/.*y\.db cannot be opened: [^\n]+$/);
  });

  it('a file that needs migrations while `migrate` is off is refused and stays as it is', async () => {
    const file = await givenDatabase(onTestFinished);
    const connection = new Database(file);
    connection.exec('DELETE FROM countersign_migrations');
    connection.close();

    await refuses(file, 'outdated', 'run `countersign migrate`', { migrate: false });
  });
});

describe('a database locked by another process', { timeout: 60_000 }, () => {
  it.each(['BEGIN IMMEDIATE', 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'])(
    'a database locked by another process is refused as locked: %s',
    async (sql) => {
      const file = await givenDatabase(onTestFinished);
      const holder = run(onTestFinished, HOLD, [file, sql]);
      await holder.said('held');

      await refuses(file, 'locked', 'is locked by another process');
    },
  );

  it('opens once the lock is released', async () => {
    const file = await givenDatabase(onTestFinished);
    const holder = run(onTestFinished, HOLD, [file, 'BEGIN IMMEDIATE']);
    await holder.said('held');

    const opening = createSqliteStorage({ file });
    holder.child.kill();

    await (await opening).close();
  });
});

describe('a database without permission', { timeout: 60_000 }, () => {
  it.each([
    ['the file is not writable', 0o755, 0o444],
    ['the file is not readable', 0o755, 0o000],
    ['the directory is not writable', 0o555, 0o666],
  ])('a database without permission is refused when %s', async (_, directoryMode, fileMode) => {
    const file = await givenDatabase(onTestFinished);
    chmodSync(file, fileMode);
    chmodSync(dirname(file), directoryMode);
    const before = readdirSync(dirname(file));

    const said = await openedByNobody(file);

    expect(said).toMatch(/^unreadable The database .* cannot be opened: permission denied$/);
    expect(readdirSync(dirname(file))).toEqual(before);
    chmodSync(dirname(file), 0o755);
  });

  it('a database without permission is refused when it cannot be created', async () => {
    const directory = temporaryDirectory(onTestFinished);
    chmodSync(directory, 0o555);

    const said = await openedByNobody(join(directory, 'data', 'countersign.db'));

    expect(said).toMatch(/^unreadable .* permission denied$/);
    expect(existsSync(join(directory, 'data'))).toBe(false);
  });
});

const HOLD = `
  import Database from 'better-sqlite3';
  const [, file, sql] = process.argv;
  new Database(file).exec(sql);
  console.log('held');
  setInterval(() => undefined, 1000);
`;

const NOBODY = 65_534;

const OPEN = `
  import { createSqliteStorage } from './src/index.ts';
  const [, file] = process.argv;
  // Only here: the user nobody may lack permission to read the program or Node.
  if (process.getuid?.() === 0) process.setuid(${NOBODY});
  const opening = createSqliteStorage({ file });
  await opening.then(() => console.log('opened'), ({ code, message }) => console.log(code, message));
`;

/** Root ignores permissions, so tests run by root open the file as the user `nobody`. */
async function openedByNobody(file: string): Promise<string> {
  const { output, errors } = await run(onTestFinished, OPEN, [file]).ended;
  return output.trim() + errors;
}

async function refuses(
  file: string,
  code: string,
  message: string,
  { but, migrate, directory = dirname(file) }: { but?: string; migrate?: boolean; directory?: string } = {},
): Promise<void> {
  const contents = () =>
    Object.entries(contentsOf(directory)).filter(([name]) => but === undefined || !name.endsWith(but));
  const before = contents();

  const error = { name: 'SqliteOpenError', code, message: expect.stringContaining(message) };
  // A lock is in the way of `migrateSqlite` only if it has something to apply.
  const openers =
    migrate === false || code === 'locked' ? [createSqliteStorage] : [createSqliteStorage, migrateSqlite];
  for (const open of openers) {
    const opening = open({ file, migrate, lockWaitMs: 50 });
    await expect(opening).rejects.toMatchObject(error);
    await expect(opening).rejects.toThrow(/^[^\n]+$/);
  }
  expect(contents()).toEqual(before);
}
