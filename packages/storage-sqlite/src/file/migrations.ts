import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientNameKey } from '@countersign/domain/storage';
import type { Connection } from '../connection/connection.ts';
import { sqliteCode } from '../connection/sqlite-codes.ts';
import { drizzle, migrate } from '../drizzle.ts';

export interface Migration {
  /** The name of its file: `0000_initial-schema`. */
  readonly name: string;
  /** Time when it was written, in ms, which identifies it for the migrator. */
  readonly when: number;
  /** SHA-256 of its file. */
  readonly hash: string;
}

const TABLE = 'countersign_migrations';

/** The folder beside `src` and `dist`. */
const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * A time at which no migration was written. An entry with it marks an unfinished copy. Versions without copying take it
 * for an unknown migration and refuse the database as well.
 */
const UNFINISHED_COPY = 0;

/** All migrations of this version, oldest first. */
export const MIGRATIONS: readonly Migration[] = readJournal();

/** When the oldest migration of this version was written, in ms. */
const FIRST = MIGRATIONS[0]?.when ?? 0;

/** Returns the entries of the migrations table, oldest first; none if there is no such table yet. */
export function appliedMigrations(connection: Connection): readonly Migration[] {
  const found = connection.prepare('SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?').get('table', TABLE);
  if (found === undefined) return [];
  const rows = connection.prepare<[], Pick<Migration, 'when' | 'hash'>>(
    `SELECT created_at AS "when", hash FROM ${TABLE} ORDER BY created_at`,
  );
  return rows.all().map((row) => ({ ...row, name: nameOf(row.when) ?? `unknown migration of ${row.when}` }));
}

/** Whether the database holds an unfinished copy. */
export function isUnfinishedCopy(applied: readonly Migration[]): boolean {
  return applied.some(({ when }) => when === UNFINISHED_COPY);
}

/** Writes the entry that marks an unfinished copy, if it is missing. */
export function markUnfinishedCopy(connection: Connection): void {
  connection
    .prepare(
      `INSERT INTO ${TABLE} (hash, created_at) SELECT 'unfinished copy', $when
       WHERE NOT EXISTS (SELECT 1 FROM ${TABLE} WHERE created_at = $when)`,
    )
    .run({ when: UNFINISHED_COPY });
}

export function unmarkUnfinishedCopy(connection: Connection): void {
  connection.prepare(`DELETE FROM ${TABLE} WHERE created_at = ?`).run(UNFINISHED_COPY);
}

/** Whether a newer version of Countersign migrated the database: it has migrations that this version does not know. */
export function isNewer(applied: readonly Migration[]): boolean {
  return applied.some(({ when }) => when > FIRST && !MIGRATIONS.some((known) => known.when === when));
}

/**
 * Whether a version before 0.2.0 made the database. The migrations of those versions were replaced by one, which was
 * edited until 0.2.0, so such a database cannot be upgraded. Later migrations are never edited.
 */
export function isFromBeforeRelease(applied: readonly Migration[]): boolean {
  return applied.some(({ when, hash }) => {
    if (when === UNFINISHED_COPY) return false;
    const known = MIGRATIONS.find((migration) => migration.when === when);
    return when < FIRST || (known !== undefined && known.hash !== hash);
  });
}

/** Returns the migrations that are not applied yet. */
export function pendingMigrations(applied: readonly Migration[]): readonly Migration[] {
  return MIGRATIONS.filter(({ when }) => !applied.some((done) => done.when === when));
}

/** Applies pending migrations, all or nothing. The caller must hold the lock: the migrator takes none. */
export function applyMigrations(connection: Connection): void {
  // The migration that adds the column needs it for the clients that exist.
  connection.function('client_name_key', { deterministic: true }, (name) => clientNameKey(String(name)));
  try {
    migrate(drizzle({ client: connection }), { migrationsFolder: FOLDER, migrationsTable: TABLE });
  } catch (error) {
    // SQLite's error, inside drizzle's, says whether waiting helps.
    throw error instanceof Error && sqliteCode(error.cause) !== '' ? error.cause : error;
  }
}

function nameOf(when: number): string | undefined {
  return MIGRATIONS.find((migration) => migration.when === when)?.name;
}

function readJournal(): Migration[] {
  const text = readFileSync(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8');
  const { entries } = JSON.parse(text) as { entries: { tag: string; when: number }[] };
  return entries.map(({ tag, when }) => {
    const sql = readFileSync(join(FOLDER, `${tag}.sql`), 'utf8');
    return { name: tag, when, hash: hash('sha256', sql) };
  });
}
