import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { databaseOfFirstVersion, SUBMITTED_AT } from '../../test-support/first-version.ts';
import { rawConnection } from '../../test-support/given-database.ts';
import { run } from '../../test-support/process.ts';
import { createSqliteStorage, migrateSqlite } from '../sqlite-storage.ts';
import { MIGRATIONS } from './migrations.ts';

const LATER = MIGRATIONS.slice(1).map(({ name }) => name);

it('a database of the first version keeps every row, and tells when each verification was submitted', async () => {
  const file = databaseOfFirstVersion(onTestFinished);
  const before = rowsOf(file);

  expect(await migrateSqlite({ file })).toEqual(LATER);

  expect(rowsOf(file)).toEqual(before);
  const connection = rawConnection(onTestFinished, file);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
  const rows = connection.prepare('SELECT id, submitted_at FROM verifications').raw().all();
  expect(Object.fromEntries(rows as [string, number | null][])).toEqual(SUBMITTED_AT);
  const added = 'SELECT DISTINCT claimed_by, claimed_at, data_key_wrapped_by, data_key FROM verifications';
  expect(connection.prepare(added).raw().all()).toEqual([[null, null, null, null]]);
});

it('a migrated database is used as any other', async () => {
  const file = databaseOfFirstVersion(onTestFinished);
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());
  const whole = await storage.verifications.findWithEvents('client', 'v-submitted');
  const { record, events } = whole ?? expect.fail('not found');
  const next = { wrappedBy: 'key', wrapped: 'wrapped' };

  const claimed = { ...record, version: 3, claimedBy: 'reviewer', claimedAt: new Date(5) };
  const change = { clientId: 'client', verificationId: record.id, expected: null, next };
  expect(await storage.verifications.commit({ record: claimed, expectedVersion: 2, events: [] })).toEqual({
    outcome: 'committed',
  });
  expect(await storage.dataKeys.replace(change)).toEqual({ outcome: 'replaced' });

  const found = await storage.verifications.findWithEventsForAnyClient(record.id);
  expect(found).toEqual({ record: { ...claimed, dataKey: next }, events });
  expect(record.submittedAt).toEqual(new Date(SUBMITTED_AT['v-submitted'] ?? 0));
});

it.each([
  ['half a claim', "UPDATE verifications SET claimed_by = 'r' WHERE status = 'submitted'", 'claim_whole'],
  ['the other half', "UPDATE verifications SET claimed_at = 1 WHERE status = 'submitted'", 'claim_whole'],
  [
    'a claim of what is not submitted',
    "UPDATE verifications SET claimed_by = 'r', claimed_at = 1 WHERE status = 'pending'",
    'claimed_when_submitted',
  ],
  [
    'a submission of what is pending',
    "UPDATE verifications SET submitted_at = 1 WHERE status = 'pending'",
    'pending_unsubmitted',
  ],
  ['half a data key', "UPDATE verifications SET data_key = 'k'", 'data_key_whole'],
  ['the name of a key alone', "UPDATE verifications SET data_key_wrapped_by = 'k'", 'data_key_whole'],
])('%s is refused, in a migrated database too', async (_, statement, constraint) => {
  const file = databaseOfFirstVersion(onTestFinished);
  await migrateSqlite({ file });

  const connection = rawConnection(onTestFinished, file);

  expect(() => connection.exec(statement)).toThrow(`CHECK constraint failed: verifications_${constraint}`);
});

it('a statement that fails leaves nothing of the migration, and it works once the reason is gone', async () => {
  const file = databaseOfFirstVersion(onTestFinished);
  const connection = rawConnection(onTestFinished, file);
  connection.exec('CREATE INDEX verifications_queue ON clients (name)');
  const before = contentOf(connection);

  await expect(migrateSqlite({ file })).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('index verifications_queue already exists') as string,
  });

  expect(contentOf(connection)).toEqual(before);
  connection.exec('DROP INDEX verifications_queue');
  expect(await migrateSqlite({ file })).toEqual(LATER);
});

it('another process that is writing is waited for, and nothing is changed if that takes too long', async () => {
  const file = databaseOfFirstVersion(onTestFinished);
  const other = rawConnection(onTestFinished, file);
  other.exec('BEGIN IMMEDIATE');

  await expect(migrateSqlite({ file, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
  const waiting = migrateSqlite({ file });
  await vi.waitUntil(() => existsSync(`${file}-migrate.lock`), { timeout: 30_000 });
  other.exec('ROLLBACK');

  expect(await waiting).toEqual(LATER);
});

const DYING = `
  import Database from 'better-sqlite3';
  const [file, at] = [process.argv[1], Number(process.argv[2])];
  const { prepare } = Database.prototype;
  let statements = 0;
  const counting = (text) => /^(--[^\\n]*\\n|\\s)*(alter|update|create|insert)/i.test(text);
  Database.prototype.prepare = function (text) {
    if (counting(text) && (statements += 1) === at) process.kill(process.pid, 'SIGKILL');
    return prepare.call(this, text);
  };
  const { migrateSqlite } = await import('./src/index.ts');
  console.log('migrated', (await migrateSqlite({ file })).length, statements);
`;

it('a process that is killed in the midst of it leaves a database that the next one migrates whole', {
  timeout: 60_000,
}, async () => {
  const unharmed = await run(onTestFinished, DYING, [databaseOfFirstVersion(onTestFinished), '0']).ended;
  const statements = Number(/^migrated 2 (\d+)$/m.exec(unharmed.output)?.[1]);
  expect(statements).toBeGreaterThan(20);

  for (const at of [1, 6, 9, 18, statements]) {
    const file = databaseOfFirstVersion(onTestFinished);
    const before = rowsOf(file);

    const died = await run(onTestFinished, DYING, [file, String(at)]).ended;

    expect(died.code, died.errors).toBeNull();
    expect(rowsOf(file), dirname(file)).toEqual(before);
    expect(await migrateSqlite({ file }), `killed at ${at}`).toEqual(LATER);
    expect(rowsOf(file)).toEqual(before);
  }
});

const FIRST_COLUMNS: Readonly<Record<string, number>> = {
  clients: 3,
  subscriptions: 6,
  usage: 4,
  api_keys: 11,
  verifications: 16,
  verification_events: 14,
};

/** Every row, in the columns of the first version. */
function rowsOf(file: string): Record<string, unknown> {
  const connection = rawConnection(() => undefined, file);
  const tables = Object.entries(FIRST_COLUMNS).map(([table, columns]) => {
    const rows = connection.prepare(`SELECT * FROM ${table} ORDER BY rowid`).raw().all() as unknown[][];
    return [table, rows.map((row) => row.slice(0, columns))];
  });
  connection.close();
  return Object.fromEntries(tables);
}

function contentOf(connection: Database.Database): unknown {
  const schema = connection.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all();
  return [schema, connection.prepare('SELECT * FROM verifications').all()];
}
