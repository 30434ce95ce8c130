import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandResult, runCommand } from '../given/command.ts';
import type { DoctorReport } from './doctor.ts';

const PAGE_BYTES = 4096;
const NOWHERE = '0198c0de-0000-7000-8000-000000000000';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-cli-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const run = (...args: string[]): Promise<CommandResult> => runCommand(args, { DATA_DIR: dataDir });

/** Runs a command that must succeed with `--json`, and gives the one value on its standard output. */
async function json<T>(...args: string[]): Promise<T> {
  const { exitCode, out, err } = await run(...args, '--json');
  expect([exitCode, err]).toEqual([0, '']);
  expect(out.endsWith('\n') && !out.trimEnd().includes('\n')).toBe(true);
  return JSON.parse(out) as T;
}

interface Created {
  readonly id: string;
}

const newClient = (...more: string[]) =>
  json<Created>('client', 'create', '--name', 'Acme', '--plan', 'standard', ...more);

describe('client create', () => {
  test('makes a client with an active subscription', async () => {
    const client = await json(
      'client',
      'create',
      '--name',
      'Acme',
      '--plan',
      'enterprise',
      '--monthly-limit',
      '7',
    );
    expect(client).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme',
      createdAt: expect.stringMatching(/Z$/),
      subscription: {
        plan: 'enterprise',
        status: 'active',
        monthlyLimit: 7,
        startsAt: expect.stringMatching(/Z$/),
        endsAt: null,
      },
      usage: { month: expect.stringMatching(/^\d{4}-\d\d$/), used: 0, allowance: 7 },
    });
  });

  test('makes one without a subscription for plan none', async () => {
    expect(await json('client', 'create', '--name', 'Acme', '--plan', 'none')).toMatchObject({
      subscription: null,
    });
  });

  test('says in words what it did', async () => {
    const { out } = await run('client', 'create', '--name', 'Acme', '--plan', 'standard');
    expect(out).toMatch(/^Client [0-9a-f-]{36} \(Acme\), with a standard subscription\n$/);
  });
});

test('client list gives all, oldest first', async () => {
  expect(await json('client', 'list')).toEqual([]);
  const first = await newClient();
  const second = await newClient();
  const all = await json<Created[]>('client', 'list');
  expect(all.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect((await run('client', 'list')).out).toMatch(/^ID .*\n.*Acme {2}standard {2}active .* 0 of 1000\n/);
});

describe('subscription set', () => {
  test('sets what is given and leaves the rest', async () => {
    const { id } = await newClient('--monthly-limit', '5');
    const set = (...options: string[]) => json('subscription', 'set', '--client', id, ...options);

    expect(await set('--status', 'canceled')).toMatchObject({ clientId: id, status: 'canceled', monthlyLimit: 5 });
    expect(await set('--plan', 'enterprise', '--monthly-limit', 'default')).toMatchObject({
      plan: 'enterprise',
      status: 'canceled',
      monthlyLimit: null,
    });
    expect(await set('--ends-at', '2027-01-31T12:00:00+02:00')).toMatchObject({
      endsAt: '2027-01-31T10:00:00.000Z',
    });
    expect(await set('--ends-at', '2027-01-31')).toMatchObject({ endsAt: '2027-01-31T00:00:00.000Z' });
    expect(await set('--ends-at', 'never')).toMatchObject({ endsAt: null });
  });

  test('one that is over is shown as ended', async () => {
    const { id } = await newClient();
    const { out } = await run('subscription', 'set', '--client', id, '--ends-at', '2020-01-31');
    expect(out).toMatch(/: standard, ended, .*until 2020-01-31T00:00:00\.000Z\n$/);
    expect((await run('client', 'list')).out).toMatch(/standard {2}ended {2,}2020-01-31T/);
    await run('subscription', 'set', '--client', id, '--status', 'canceled');
    expect((await run('client', 'list')).out).toMatch(/standard {2}canceled {2}2020-01-31T/);
  });

  test('gives one to a client that has none, with a plan', async () => {
    const { id } = await json<Created>('client', 'create', '--name', 'Acme', '--plan', 'none');
    expect(await run('subscription', 'set', '--client', id, '--status', 'active')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^countersign: option '--plan': needed for the first subscription\n$/),
    });
    const set = await json('subscription', 'set', '--client', id, '--plan', 'standard');
    expect(set).toMatchObject({ plan: 'standard', status: 'active' });
  });
});

describe('key', () => {
  interface Key extends Created {
    readonly key: string;
    readonly expiresAt: string | null;
    readonly createdAt: string;
  }
  const createKey = (client: string, ...more: string[]) =>
    json<Key>(
      'key',
      'create',
      '--client',
      client,
      '--permissions',
      'verifications:create,verifications:read',
      ...more,
    );

  test('create shows the key once, list never again', async () => {
    const client = await newClient();

    const key = await createKey(client.id, '--name', 'Backend', '--expires', '30');

    expect(key).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: expect.stringMatching(/^csk_[0-9a-f]{64}$/),
      clientId: client.id,
      name: 'Backend',
      permissions: ['verifications:create', 'verifications:read'],
      state: 'active',
    });
    expect(Date.parse(key.expiresAt ?? '') - Date.parse(key.createdAt)).toBe(30 * 24 * 60 * 60 * 1000);
    const { key: value, ...listed } = key;
    expect(await json('key', 'list', '--client', client.id)).toEqual([listed]);
    const { out } = await run('key', 'list', '--client', client.id);
    expect(out).toContain(key.id);
    expect(out).not.toContain(value);
  });

  test('in words the key stands on a line of its own, for scripts and people', async () => {
    const client = await newClient();
    const { out } = await run('key', 'create', '--client', client.id, '--permissions', '*');
    expect(out).toMatch(/^Key [0-9a-f-]{36}: shown only now\ncsk_[0-9a-f]{64}\n$/);
  });

  test.each([
    ['by argument', (key: string) => [key]],
    ['by option', (key: string) => ['--key', key]],
    ['naming the client', (key: string, client: string) => ['--client', client, '--key', key]],
  ])('revoke %s', async (_, options) => {
    const client = await newClient();
    const key = await createKey(client.id);

    const revoked = await json('key', 'revoke', ...options(key.id, client.id));

    expect(revoked).toMatchObject({ id: key.id, state: 'revoked', revokedAt: expect.stringMatching(/Z$/) });
    expect(await json('key', 'list', '--client', client.id)).toEqual([revoked]);
    expect(await json('key', 'revoke', key.id)).toEqual(revoked);
  });

  test('the eleventh active key is refused', async () => {
    const client = await newClient();
    for (let made = 0; made < 10; made++) await createKey(client.id);
    expect(await run('key', 'create', '--client', client.id, '--permissions', '*')).toEqual({
      exitCode: 1,
      out: '',
      err: 'countersign: A client has at most 10 active keys: revoke one first (API_KEY_LIMIT_REACHED)\n',
    });
  });
});

describe('migrate', () => {
  test('makes the database, and has nothing to do the second time', async () => {
    const file = join(dataDir, 'countersign.db');
    expect(await json('migrate')).toEqual({ file, applied: [expect.any(String)] });
    expect(await json('migrate')).toEqual({ file, applied: [] });
  });
});

describe('backup', () => {
  test('copies the database to a new file', async () => {
    const client = await newClient();
    const target = join(dataDir, 'copy', 'countersign.db');
    expect(await run('backup', target)).toMatchObject({
      exitCode: 1,
      err: `countersign: The backup ${target} cannot be written: there is no directory ${join(dataDir, 'copy')}\n`,
    });

    const copy = join(dataDir, 'copy.db');
    expect(await json('backup', copy)).toEqual({ file: copy, sizeBytes: expect.any(Number) });

    const { out } = await runCommand(['client', 'list', '--json'], {
      DATABASE_URL: `file:${copy}`,
      DATA_DIR: dataDir,
    });
    expect(JSON.parse(out)).toMatchObject([{ id: client.id }]);
  });

  test('never replaces a file', async () => {
    await newClient();
    const taken = join(dataDir, 'taken');
    writeFileSync(taken, 'mine');
    const { exitCode, err } = await run('backup', taken);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^countersign: .*taken exists already.*\n$/);
    expect(readFileSync(taken, 'utf8')).toBe('mine');
  });

  test('makes no database just to copy it', async () => {
    expect(await run('backup', join(dataDir, 'copy'))).toMatchObject({
      exitCode: 1,
      err: `countersign: There is no database at ${join(dataDir, 'countersign.db')}\n`,
    });
    expect(existsSync(join(dataDir, 'countersign.db'))).toBe(false);
  });
});

describe('doctor', () => {
  test('tells versions, migrations and integrity', async () => {
    await newClient();
    expect(await json('doctor')).toEqual({
      ok: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
      database: expect.objectContaining({ integrity: 'ok', pendingMigrations: [] }),
      problems: [],
    });
    expect((await run('doctor')).out).toMatch(/All is well\n$/);
  });

  test('finds no database, and makes none', async () => {
    const { exitCode, out } = await run('doctor', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      database: null,
      problems: [`There is no database at ${join(dataDir, 'countersign.db')}`],
    });
    expect(existsSync(join(dataDir, 'countersign.db'))).toBe(false);
  });

  test('tells of damage within the file, line by line', async () => {
    await newClient();
    const file = join(dataDir, 'countersign.db');
    const bytes = readFileSync(file);
    const page = rootPageOf(file, 'clients');
    writeFileSync(file, bytes.fill(0xee, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));

    const { exitCode, out, err } = await run('doctor', '--json');

    expect([exitCode, err]).toEqual([1, '']);
    const { ok, database, problems } = JSON.parse(out) as DoctorReport;
    expect([ok, database === null]).toEqual([false, false]);
    expect(problems[0]).toMatch(/^The database is damaged: /);
    expect(await run('doctor')).toMatchObject({ exitCode: 1, err: '', out: expect.stringContaining('damaged') });
  });

  test('says what is wrong with a file that is no database', async () => {
    writeFileSync(
      join(dataDir, 'countersign.db'),
      'not a database, but long enough to be taken for one '.repeat(100),
    );
    const { exitCode, out } = await run('doctor');
    expect(exitCode).toBe(1);
    expect(out).toMatch(/is not a SQLite database\n$/);
  });
});

function rootPageOf(file: string, table: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table);
  database.close();
  return Number(row?.rootpage);
}

describe('a wrong command line is one line that names what is wrong, and nothing happens', () => {
  const create = ['client', 'create', '--name', 'Acme'];
  const set = ['subscription', 'set', '--client', NOWHERE];
  const key = ['key', 'create', '--client', NOWHERE];

  test.each([
    [['nonsense'], /unknown command 'nonsense'/],
    [['client', 'list', '--nonsense'], /unknown option '--nonsense'/],
    [['client', 'list', 'nonsense'], /too many arguments/],
    [['client', 'create', '--plan', 'standard'], /'--name <name>' not specified/],
    [create, /'--plan <plan>' not specified/],
    [[...create, '--plan', 'gold'], /'--plan <plan>' argument 'gold' is invalid.*standard, enterprise, none/],
    [[...create, '--plan', 'standard', '--monthly-limit', '-1'], /--monthly-limit/],
    [
      [...create, '--plan', 'standard', '--monthly-limit', '1.5'],
      /'--monthly-limit <n>' argument '1.5' is invalid/,
    ],
    [[...create, '--plan', 'standard', '--monthly-limit', '9999999999'], /'--monthly-limit'/],
    [[...create, '--plan', 'none', '--monthly-limit', '1'], /'--monthly-limit <n>'/],
    [['client', 'create', '--name', ' ', '--plan', 'standard'], /'--name'/],
    [['client', 'create', '--name', 'x'.repeat(101), '--plan', 'standard'], /'--name'/],
    [set, /nothing to set: give --plan/],
    [[...set, '--status', 'paused'], /'--status <status>' argument 'paused' is invalid.*active, canceled/],
    [[...set, '--ends-at', 'tomorrow'], /'--ends-at <time>' argument 'tomorrow' is invalid.*never/],
    [[...set, '--ends-at', '2027-02-30'], /'--ends-at <time>'/],
    [[...set, '--ends-at', '2027-01-31T12:00:00'], /'--ends-at <time>'/],
    [key, /'--permissions <list>' not specified/],
    [
      [...key, '--permissions', 'verifications:delete'],
      /'--permissions <list>' argument 'verifications:delete' is invalid/,
    ],
    [[...key, '--permissions', ''], /'--permissions <list>'/],
    [
      [...key, '--permissions', '*', '--expires', '31'],
      /'--expires <days>' argument '31' is invalid.*30, 90, 180, 365/,
    ],
    [[...key, '--permissions', '*', '--name', 'x'.repeat(101)], /'--name'/],
    [['key', 'list'], /'--client <id>' not specified/],
    [['key', 'revoke'], /give the key's id once/],
    [['key', 'revoke', NOWHERE, '--key', NOWHERE], /give the key's id once/],
    [['backup'], /missing required argument 'file'/],
    [['backup', ''], /'file'.*Expected the name of a file/],
    [['serve', '--json'], /'--json' has no meaning for serve/],
  ])('%j', async (args, line) => {
    const { exitCode, out, err } = await run(...args);
    expect(err).toMatch(/^countersign: [^\n]+\n$/);
    expect(err).toMatch(line);
    expect([exitCode, out]).toEqual([2, '']);
    expect((await run('client', 'list', '--json')).out).toBe('[]\n');
  });
});

describe('what does not exist is told by its code', () => {
  test.each([
    [['subscription', 'set', '--client', NOWHERE, '--plan', 'standard'], 'CLIENT_NOT_FOUND'],
    [['key', 'create', '--client', NOWHERE, '--permissions', '*'], 'CLIENT_NOT_FOUND'],
    [['key', 'list', '--client', NOWHERE], 'CLIENT_NOT_FOUND'],
    [['key', 'revoke', NOWHERE], 'API_KEY_NOT_FOUND'],
    [['key', 'revoke', '--client', NOWHERE, '--key', NOWHERE], 'API_KEY_NOT_FOUND'],
  ])('%j', async (args, code) => {
    const { exitCode, out, err } = await run(...args, '--json');
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(new RegExp(`^countersign: [^\\n]+ \\(${code}\\)\\n$`));
  });
});

test('a group without a command shows its help and fails', async () => {
  const { exitCode, out, err } = await run('key');
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toContain('Usage: countersign key');
});

test('help and version succeed', async () => {
  expect(await run('--help')).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('Exit codes') });
  expect(await run('--version')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test('commands on the database need no other setting, in production too', async () => {
  const { exitCode } = await runCommand(['client', 'list'], { NODE_ENV: 'production', DATA_DIR: dataDir });
  expect(exitCode).toBe(0);
});

test('a bad setting is one line and its own exit code', async () => {
  const result = await runCommand(['client', 'list'], { DATABASE_URL: 'postgres://db/x', DATA_DIR: dataDir });
  expect(result).toMatchObject({ exitCode: 78, out: '' });
  expect(result.err).toMatch(/^countersign: DATABASE_URL names a PostgreSQL server, [^\n]+\n$/);
});
