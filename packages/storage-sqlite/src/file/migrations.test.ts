import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { fileWithoutTables, schemaOf } from '../../test-support/without-tables.ts';
import * as appearanceTables from '../appearance-tables.ts';
import * as exportTables from '../export-tables.ts';
import * as handOverTables from '../hand-over-tables.ts';
import * as indexTables from '../index-tables.ts';
import * as mailTables from '../mail-tables.ts';
import * as readingTables from '../reading-tables.ts';
import * as retentionTables from '../retention-tables.ts';
import * as tables from '../schema.ts';
import { inspectSqliteSchema, migrateSqlite } from '../sqlite-storage.ts';
import * as webhookTables from '../webhook-tables.ts';
import { takeLock } from './locks.ts';
import { applyMigrations, MIGRATIONS, type Migration } from './migrations.ts';

const schema = {
  ...tables,
  ...webhookTables,
  ...retentionTables,
  ...exportTables,
  ...handOverTables,
  ...readingTables,
  ...indexTables,
  ...mailTables,
  ...appearanceTables,
};
const NAMES = MIGRATIONS.map(({ name }) => name);

it('the only snapshot is the last one and describes the schema, so no migration is missing', async () => {
  const last = `${MIGRATIONS.at(-1)?.name.slice(0, 4)}_snapshot.json`;
  const meta = new URL('../../migrations/meta/', import.meta.url);
  expect(readdirSync(meta).sort()).toEqual([last, '_journal.json']);
  const snapshot = JSON.parse(readFileSync(new URL(last, meta), 'utf8'));

  const missing = await generateSQLiteMigration(snapshot, await generateSQLiteDrizzleJson(schema, snapshot.id));

  expect(missing).toEqual([]);
});

it('inspectSqliteSchema: names applied and pending migrations, and changes nothing', async () => {
  const file = await givenDatabase(onTestFinished);
  const before = readFileSync(file);
  expect(await inspectSqliteSchema({ file })).toEqual({ applied: NAMES, pending: [] });
  const missing = join(temporaryDirectory(onTestFinished), 'none.db');
  expect(await inspectSqliteSchema({ file: missing })).toEqual({ applied: [], pending: NAMES });
  expect([existsSync(missing), readFileSync(file).equals(before)]).toEqual([false, true]);

  // As a later version of the code sees it.
  const later = MIGRATIONS as Migration[];
  later.push({ name: '0099_later', when: 9_999_999_999_999, hash: '' });
  onTestFinished(() => void later.pop());
  expect(await inspectSqliteSchema({ file })).toEqual({ applied: NAMES, pending: ['0099_later'] });
});

it('the migrations create exactly the tables that the schema describes', async () => {
  const [migrated, described] = [new Database(':memory:'), new Database(':memory:')];
  applyMigrations(migrated);
  const nothing = await generateSQLiteDrizzleJson({});
  const statements = await generateSQLiteMigration(nothing, await generateSQLiteDrizzleJson(schema));
  for (const statement of statements) described.exec(statement);

  expect(structureOf(migrated)).toEqual(structureOf(described));
  expect(Object.keys(structureOf(migrated))).toHaveLength(25);
});

it('a migration waits for the process that holds the migration lock, for lockWaitMs at most', async () => {
  const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
  const other = takeLock(`${file}-migrate.lock`);

  await expect(migrateSqlite({ file, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
  expect(existsSync(file)).toBe(false);

  const waiting = migrateSqlite({ file });
  other.release();
  expect(await waiting).toEqual(NAMES);
});

describe('a migration', () => {
  it('holds the migration lock during the steps before and after it', async () => {
    const file = await givenDatabase(onTestFinished);
    const refusesOthers = () =>
      expect(migrateSqlite({ file, lockWaitMs: 0 })).rejects.toMatchObject({ code: 'locked' });

    const applied = await migrateSqlite({
      file,
      before: async (pending) => {
        expect(pending).toEqual([]);
        await refusesOthers();
      },
      after: async () => {
        await refusesOthers();
        return ['of_another_package'];
      },
    });

    expect(applied).toEqual(['of_another_package']);
  });

  it('changes nothing if the step before it fails', async () => {
    const file = await givenDatabase(onTestFinished);
    const before = async () => {
      throw new Error('The disk is full');
    };
    const after = vi.fn<() => Promise<string[]>>();
    await expect(migrateSqlite({ file, before, after })).rejects.toThrow('The disk is full');
    expect(after).not.toHaveBeenCalled();
  });

  it('a migration that fails keeps nothing, and succeeds once the cause is removed', async () => {
    const file = fileWithoutTables();
    const connection = rawConnection(onTestFinished, file);
    connection.exec('CREATE TABLE verifications (id)');
    const before = schemaOf(connection);

    await expect(migrateSqlite({ file })).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringContaining('table `verifications` already exists') as string,
    });

    expect(schemaOf(connection)).toEqual(before);
    connection.exec('DROP TABLE verifications');
    expect(await migrateSqlite({ file })).toEqual(NAMES);
  });

  it('waits for a process that is writing, and changes nothing if that takes longer than lockWaitMs', async () => {
    const file = fileWithoutTables();
    const other = rawConnection(onTestFinished, file);
    other.exec('BEGIN IMMEDIATE');

    await expect(migrateSqlite({ file, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
    const waiting = migrateSqlite({ file });
    await vi.waitUntil(() => existsSync(`${file}-migrate.lock`), { timeout: 30_000 });
    other.exec('ROLLBACK');

    expect(await waiting).toEqual(NAMES);
  });
});

describe('a CHECK constraint refuses', () => {
  it.each([
    ['a reviewer without a claim date', "verifications SET claimed_by = 'r'", 'verifications_claim_whole'],
    ['a mail without a time', "verifications SET link_mail_id = 'm'", 'verifications_link_mail_whole'],
    ['a claim date without a reviewer', 'verifications SET claimed_at = 1', 'verifications_claim_whole'],
    [
      'a claim of a pending verification',
      "verifications SET claimed_by = 'r', claimed_at = 1",
      'verifications_claimed_when_submitted',
    ],
    [
      'a submission date of a pending verification',
      'verifications SET submitted_at = 1',
      'verifications_pending_unsubmitted',
    ],
    ['a data key without its ring key', "verifications SET data_key = 'k'", 'verifications_data_key_whole'],
    [
      'a ring key without a data key',
      "verifications SET data_key_wrapped_by = 'k'",
      'verifications_data_key_whole',
    ],
    [
      'an unknown sandbox outcome',
      "verifications SET sandbox_outcome = 'x'",
      'verifications_known_sandbox_outcome',
    ],
    ['a sandbox flag that is neither 0 nor 1', 'clients SET sandbox = 2', 'clients_sandbox_yes_or_no'],
    ['a file access flag that is neither 0 nor 1', 'clients SET file_access = 2', 'clients_file_access_yes_or_no'],
    [
      'a switch for the place of birth that is neither 0 nor 1',
      'clients SET asks_place_of_birth = 2',
      'clients_asks_place_of_birth_yes_or_no',
    ],
    [
      'a switch for the proof of address that is neither 0 nor 1',
      'clients SET asks_proof_of_address = 2',
      'clients_asks_proof_of_address_yes_or_no',
    ],
  ])('%s', async (_, assignment, constraint) => {
    const connection = rawConnection(onTestFinished, await givenDatabase(onTestFinished));

    expect(() => connection.exec(`UPDATE ${assignment}`)).toThrow(`CHECK constraint failed: ${constraint}`);
  });
});

it('the migration that adds it marks what waits after a request for action as resubmitted, and nothing else', async () => {
  const connection = rawConnection(onTestFinished, await givenDatabase(onTestFinished, { verifications: 3 }));
  connection.exec(`
    UPDATE verifications SET status = 'submitted', submitted_at = requested_at WHERE rowid <> 3;
    INSERT INTO verification_events (client_id, id, verification_id, version, type, status, at, actor_kind, data, available_at, attempts)
    SELECT client_id, id || '-asked', id, 2, 'verification.action_requested', 'action_needed', 0, 'reviewer', '{}', 0, 0
    FROM verifications WHERE rowid <> 1`);
  const sql = readFileSync(new URL('../../migrations/0039_expand-resubmitted.sql', import.meta.url), 'utf8');

  connection.exec(sql.split('--> statement-breakpoint').find((each) => each.includes('UPDATE')) ?? '');

  const marks = connection.prepare('SELECT is_resubmitted FROM verifications ORDER BY rowid').pluck().all();
  expect(marks).toEqual([0, 1, 0]);
});

/** Columns, indexes, foreign keys and CHECKs of each table, as SQLite reports them. */
/** Leaves out the indexes of primary keys: a table without row ids has none, and the columns name their keys. */
function structureOf(connection: Database.Database): Record<string, unknown> {
  const tables = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'countersign_migrations'",
    )
    .pluck()
    .all();
  const indexes = connection.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ? ORDER BY name",
  );
  return Object.fromEntries(
    tables.map((table) => [
      table,
      {
        columns: connection.pragma(`table_xinfo(${table})`),
        foreignKeys: connection.pragma(`foreign_key_list(${table})`),
        indexes: indexes.all(table),
        checks: checksOf(connection, table),
      },
    ]),
  );
}

/** The named CHECKs of a table. Columns that migrations add come after them. */
function checksOf(connection: Database.Database, table: string): string[] {
  const find = connection.prepare<[string], string>('SELECT sql FROM sqlite_master WHERE name = ?').pluck();
  const checks = (find.get(table) ?? '')
    .split(/,?\s*(?:CONSTRAINT|FOREIGN KEY|PRIMARY KEY)/)
    .filter((part) => part.includes('CHECK'));
  return checks
    .map((check) =>
      check.replace(/(, `\w+` \w+(?: DEFAULT (?:\w+|'[^']*') NOT NULL)?)*\)?$/, '').replace(/[\s)]+$/, ''),
    )
    .sort();
}
