import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api';
import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/given-database.ts';
import { run } from '../../test-support/process.ts';
import { temporaryDirectory } from '../../test-support/temporary-directory.ts';
import * as schema from '../schema/index.ts';
import { migrateSqlite } from '../sqlite-storage.ts';
import { takeLock } from './file-lock.ts';
import { applyMigrations, MIGRATIONS } from './migrations.ts';

it('the schema has nothing that the migrations lack', async () => {
  const last = MIGRATIONS.at(-1)?.name.slice(0, 4);
  const snapshot = JSON.parse(
    readFileSync(new URL(`../../migrations/meta/${last}_snapshot.json`, import.meta.url), 'utf8'),
  );

  const missing = await generateSQLiteMigration(snapshot, await generateSQLiteDrizzleJson(schema, snapshot.id));

  expect(missing).toEqual([]);
});

it('the migrations, one after the other, make the database that the schema describes', async () => {
  const [migrated, described] = [new Database(':memory:'), new Database(':memory:')];
  applyMigrations(migrated);
  const nothing = await generateSQLiteDrizzleJson({});
  const statements = await generateSQLiteMigration(nothing, await generateSQLiteDrizzleJson(schema));
  for (const statement of statements) described.exec(statement);

  expect(structureOf(migrated)).toEqual(structureOf(described));
  expect(Object.keys(structureOf(migrated))).toHaveLength(7);
});

it('of several processes that start at once on no file at all, one migrates and all go on', {
  timeout: 60_000,
}, async () => {
  const file = join(temporaryDirectory(onTestFinished), 'data', 'countersign.db');
  const program = `
    import { createSqliteStorage } from './src/index.ts';
    const storage = await createSqliteStorage({ file: process.argv[1], lockWaitMs: 30_000 });
    await storage.ping();
    await storage.close();
  `;

  const runs = await Promise.all([1, 2, 3, 4].map(() => run(onTestFinished, program, [file]).ended));

  for (const ended of runs) expect(ended).toEqual({ code: 0, output: '', errors: '' });
  const applied = rawConnection(onTestFinished, file)
    .prepare('SELECT created_at FROM countersign_migrations')
    .pluck();
  expect(applied.all()).toEqual(MIGRATIONS.map(({ when }) => when));
});

it('nobody migrates while another does', async () => {
  const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
  const other = takeLock(`${file}-migrate.lock`);

  await expect(migrateSqlite({ file, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });
  expect(existsSync(file)).toBe(false);

  const waiting = migrateSqlite({ file });
  other.release();
  expect(await waiting).toEqual(MIGRATIONS.map(({ name }) => name));
});

/** Columns, indexes, foreign keys and CHECKs of each table, as SQLite sees them. */
function structureOf(connection: Database.Database): Record<string, unknown> {
  const tables = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'countersign_migrations'",
    )
    .pluck()
    .all();
  const indexes = connection.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?");
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

/** The named CHECKs of a table, whichever of its statements made them. */
function checksOf(connection: Database.Database, table: string): string[] {
  const find = connection.prepare<[string], string>('SELECT sql FROM sqlite_master WHERE name = ?').pluck();
  const checks = (find.get(table) ?? '').split(/,?\s*CONSTRAINT /).filter((part) => part.includes('CHECK'));
  return checks.map((check) => check.replace(/[\s)]+$/, '')).sort();
}
