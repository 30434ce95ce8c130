import { existsSync } from 'node:fs';
import { createFixedClock } from '@countersign/memory';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
import {
  type Databases,
  type PlacedDatabase,
  rowsOf,
  runIn,
  sqliteDatabases,
} from '../../test-support/databases.ts';
import { createStaffManagement } from '../create-accounts.ts';
import { countOlderSecondFactors, resealSecondFactors } from '../second-factor/reseal.ts';
import { hasAccounts, migrateAccounts, moveUsersToLiveClients, pendingAccountChanges } from './migrate.ts';
import { createSqliteMigrator } from './migrate-sqlite.ts';
import { MIGRATIONS_TABLE, migrationsFor } from './migrations.ts';

const NAMES = migrationsFor('sqlite').map(({ name }) => name);

let databases: Databases;
let database: Extract<PlacedDatabase, { kind: 'sqlite' }>;
beforeAll(async () => {
  databases = await sqliteDatabases();
});
beforeEach(async () => {
  const fresh = await databases.fresh();
  if (fresh.kind !== 'sqlite') throw new Error('not a file');
  database = fresh;
});
afterAll(() => databases.close());

/** Removes a migration from the migrations table, as if it was never applied. */
const forget = (name: string | undefined) =>
  runIn(database, `delete from ${MIGRATIONS_TABLE} where name = '${name}'`);

it('a file without tables of accounts: nothing is applied, selected or pending', async () => {
  expect(await hasAccounts(database)).toBe(false);
  expect(await createSqliteMigrator(database.file).select('select secret from staff_two_factors')).toEqual([]);
  expect(await pendingAccountChanges(database.file)).toEqual([]);
  expect(await resealSecondFactors({ database, secretKeys: [KEY] })).toEqual({ resealed: 0 });
  expect(await countOlderSecondFactors({ database, secretKeys: [KEY] })).toBe(0);
});

it('a command line creates the tables of accounts without being asked', async () => {
  const staff = await createStaffManagement({ database, clock: createFixedClock(new Date()) });
  expect(await staff.list()).toEqual([]);
  await staff.close();
  // SQLite removes the file when the last connection closes.
  expect(existsSync(`${database.file}-wal`)).toBe(false);
});

it('a file with tables of accounts: pending migrations are named until they are applied', async () => {
  await migrateAccounts(database);
  expect(await hasAccounts(database)).toBe(true);
  expect(await pendingAccountChanges(database.file)).toEqual([]);
  await forget(NAMES.at(-1));
  expect(await pendingAccountChanges(database.file)).toEqual(NAMES.slice(-1));
});

it('migrate: a current file is not changed, even while another connection writes', async () => {
  await migrateAccounts(database);
  const writer = new Database(database.file);
  writer.exec('BEGIN IMMEDIATE');
  try {
    expect(await migrateAccounts(database)).toEqual([]);
  } finally {
    writer.close();
  }
});

it('migrate: a newer version that migrates first causes newer_version, not migration_failed', async () => {
  await migrateAccounts(database);
  await forget(NAMES.at(-1));
  const { exec } = Database.prototype;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql) {
    if (sql === 'BEGIN IMMEDIATE') {
      new Database(database.file)
        .prepare(`insert into ${MIGRATIONS_TABLE} (name, hash, applied_at) values ('9999_later', 'x', 'x')`)
        .run();
    }
    return exec.call(this, sql);
  });
  await expect(migrateAccounts(database)).rejects.toMatchObject({ code: 'newer_version' });
});

it('users of a test client are moved to its live client, and others stay', async () => {
  await migrateAccounts(database);
  await runIn(
    database,
    `create table clients (id text, test_of text);
     insert into clients values ('live', null), ('test', 'live');
     insert into staff_users (id, name, email, role, client_id, team_role, created_at, updated_at) values
       ('1', 'Ann', 'ann@example.com', 'client', 'test', 'owner', 'x', 'x'),
       ('2', 'Bob', 'bob@example.com', 'client', 'live', 'owner', 'x', 'x'),
       ('3', 'Cleo', 'cleo@example.com', 'reviewer', null, null, 'x', 'x')`,
  );
  await moveUsersToLiveClients(database);
  expect(await rowsOf(database, 'select id, client_id from staff_users order by id')).toEqual([
    { id: '1', client_id: 'live' },
    { id: '2', client_id: 'live' },
    { id: '3', client_id: null },
  ]);
});
