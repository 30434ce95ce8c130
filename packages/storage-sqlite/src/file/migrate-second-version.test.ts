import type Database from 'better-sqlite3';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/given-database.ts';
import { databaseOfSecondVersion } from '../../test-support/second-version.ts';
import { createSqliteStorage, migrateSqlite } from '../sqlite-storage.ts';
import { MIGRATIONS } from './migrations.ts';

const LATER = MIGRATIONS.slice(2).map(({ name }) => name);
const TABLES = ['clients', 'subscriptions', 'usage', 'api_keys', 'verifications', 'verification_events'];

let file: string;
beforeEach(() => {
  file = databaseOfSecondVersion(onTestFinished);
});

it('a database of the second version keeps every row and every value', async () => {
  const connection = rawConnection(onTestFinished, file);
  const columns = TABLES.map((table) => [table, columnsOf(connection, table)] as const);
  const before = columns.map(([table, names]) => rowsOf(connection, table, names));

  expect(await migrateSqlite({ file })).toEqual(LATER);

  expect(columns.map(([table, names]) => rowsOf(connection, table, names))).toEqual(before);
  expect(before.map((rows) => rows.length)).toEqual([2, 1, 1, 2, 7, 6]);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
  expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
});

it('what is new says nothing of what was there: no sandbox, no creator, nothing to drive, an empty audit log', async () => {
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());

  expect((await storage.clients.list()).map(({ client }) => client.sandbox)).toEqual([false, false]);
  expect((await storage.apiKeys.list('client')).map(({ createdBy }) => createdBy)).toEqual([null, null]);
  expect((await storage.apiKeys.resolve('hash'))?.key).toMatchObject({ id: 'key', createdBy: null });
  const found = await storage.verifications.findWithEvents('client', 'v-submitted');
  expect(found).toMatchObject({
    record: {
      sandboxOutcome: null,
      claimedBy: 'reviewer',
      dataKey: { wrappedBy: 'ring', wrapped: 'wrapped' },
    },
    events: [{ type: 'verification.submitted' }],
  });
  expect(await storage.clients.setSandbox('client', true)).toMatchObject({ outcome: 'changed' });
  expect(await storage.verifications.dueInSandbox(10)).toEqual([]);
  expect(await storage.audit.head()).toBeNull();
});

it.each([
  ['a sandbox that is neither', 'UPDATE clients SET sandbox = 2', 'clients_sandbox_yes_or_no'],
  ['an unknown outcome', "UPDATE verifications SET sandbox_outcome = 'x'", 'verifications_known_sandbox_outcome'],
])('%s is refused', async (_, statement, constraint) => {
  await migrateSqlite({ file });

  const connection = rawConnection(onTestFinished, file);

  expect(() => connection.exec(statement)).toThrow(`CHECK constraint failed: ${constraint}`);
});

function columnsOf(connection: Database.Database, table: string): string[] {
  return (connection.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
}

function rowsOf(connection: Database.Database, table: string, columns: readonly string[]): unknown[] {
  return connection.prepare(`SELECT ${columns.join()} FROM ${table} ORDER BY rowid`).raw().all();
}
