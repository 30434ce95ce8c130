import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { change, holdWriteLock } from '@countersign/test-support/installation/database-file';
import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import type { Environment, Finished } from '@countersign/test-support/processes/child-process';
import { runCountersign } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, it } from 'vitest';

/** Expects a failed exit without a crash, with one line on stderr. */
function expectOneLine({ code, signal, stdout, stderr }: Finished, pattern: RegExp): void {
  expect({ signal, stdout }).toEqual({ signal: null, stdout: '' });
  expect(stderr).toMatch(/^countersign: [^\n]+\n$/);
  expect(stderr).toMatch(pattern);
  expect(code).toBeGreaterThan(0);
}

/** One of each kind. The tests of `readServerSettings` and of `serve` have the others. */
describe.concurrent('serve refuses an invalid setting', () => {
  const secret = Buffer.alloc(32, 7).toString('base64');
  const production = { NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://verify.example', SECRET_KEYS: secret };

  it.each<[variable: string, env: Environment]>([
    ['PUBLIC_BASE_URL', { ...production, PUBLIC_BASE_URL: '' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://user:hunter2@localhost:x/x' }],
    ['SECRET_KEYS', { SECRET_KEYS: `${secret},hunter2` }],
  ])('%s: exits with one line that names it: %o', async (variable, env) => {
    const dataDir = temporaryFolder();

    const ended = await runCountersign(['serve'], { DATA_DIR: dataDir, PORT: String(await freePort()), ...env });

    expectOneLine(ended, new RegExp(`^countersign: ${variable} `));
    expect(ended.stderr).not.toContain('hunter2');
  });
});

describe.concurrent('commands refuse and leave unchanged a database', () => {
  /** Creates a data directory and a database with one client. */
  async function givenDatabase(): Promise<{ dataDir: string; file: string }> {
    const dataDir = temporaryFolder();
    const file = join(dataDir, 'countersign.db');
    await givenClientOf({ databaseFile: file });
    return { dataDir, file };
  }

  /** Expects each command to refuse the database and to leave it unchanged, byte for byte. */
  async function expectRefused(
    { dataDir, file }: { dataDir: string; file: string },
    pattern: RegExp,
    commands = ['serve'],
  ): Promise<void> {
    const before = readFileSync(file);
    const besides = () => readdirSync(dataDir).filter((name) => /-(wal|shm|journal)$/.test(name));
    const beside = besides();
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()) };

    // One after another: a concurrent reader that closes last could not remove the WAL files.
    for (const command of commands) expectOneLine(await runCountersign(command.split(' '), env), pattern);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(besides()).toEqual(beside);
  }

  it('of a newer version', async () => {
    const given = await givenDatabase();
    change(
      given.file,
      'INSERT INTO countersign_migrations (hash, created_at) VALUES (?, ?)',
      'x',
      Date.UTC(2100, 0),
    );
    await expectRefused(given, /newer version/, ['serve', 'client list', 'migrate']);
  });

  it('that is locked', async () => {
    const given = await givenDatabase();
    const lock = holdWriteLock(given.file);
    try {
      await expectRefused(given, /locked/, ['serve', 'client list']);
    } finally {
      lock.release();
    }
    // After the release the database works again.
    expect(await operate({ databaseFile: given.file }, ({ clients }) => clients.list())).toHaveLength(1);
  });

  it.each([
    ['text', Buffer.from('This is my diary. '.repeat(500)), /not a SQLite database/],
    ['zeros', Buffer.alloc(8192), /not a SQLite database|another application|damaged/],
    ['a few bytes', Buffer.from('diary'), /not a SQLite database/],
  ])('that is not SQLite: %s', async (_, content, pattern) => {
    const dataDir = temporaryFolder();
    const file = join(dataDir, 'countersign.db');
    writeFileSync(file, content);
    await expectRefused({ dataDir, file }, pattern);
  });

  it('of another application', async () => {
    const dataDir = temporaryFolder();
    const file = join(dataDir, 'countersign.db');
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE diary (entry TEXT); INSERT INTO diary VALUES (1)');
    other.close();
    await expectRefused({ dataDir, file }, /another application/);
  });

  it('that is truncated', async () => {
    const given = await givenDatabase();
    writeFileSync(given.file, readFileSync(given.file).subarray(0, 6000));
    await expectRefused(given, /damaged|not a SQLite database/);
  });

  it('that is a directory', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'countersign.db'));
    const ended = await runCountersign(['serve'], { DATA_DIR: dataDir, PORT: String(await freePort()) });
    expectOneLine(ended, /not a file/);
  });
});
