import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from '../drizzle.ts';

export interface Migration {
  /** The name of its file: `0000_initial-schema`. */
  readonly name: string;
  /** Time when it was written, in ms, which identifies it in the migrations table. */
  readonly when: number;
  /** SHA-256 of its file. */
  readonly hash: string;
}

interface MigrationWithSql extends Migration {
  /** Its statements and its entry in the migrations table, applied as one transaction. */
  readonly sql: string;
}

/** The folder beside `src` and `dist`. */
const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

export const MIGRATIONS_TABLE = 'countersign_migrations';

/**
 * A time at which no migration was written. An entry with it marks an unfinished copy. Versions without copying take it
 * for an unknown migration and refuse the database as well.
 */
export const UNFINISHED_COPY = 0;

/** All migrations of this version, oldest first. */
export const MIGRATIONS: readonly MigrationWithSql[] = readMigrations();

/** The names of this version's migrations, oldest first. */
export const POSTGRES_MIGRATIONS: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** When the oldest migration of this version was written, in ms. */
const FIRST = MIGRATIONS[0]?.when ?? 0;

/** Creates the migrations table if it is missing. */
export const CREATE_MIGRATIONS_TABLE = `
  create table if not exists ${MIGRATIONS_TABLE} (
    created_at bigint primary key,
    name text not null,
    hash text not null,
    applied_at timestamptz not null default now()
  )`;

/** Reads the entries of the migrations table, oldest first. */
export const SELECT_APPLIED = `select created_at, name, hash from ${MIGRATIONS_TABLE} order by created_at`;

/** Returns the entries of the migrations table from the rows of `SELECT_APPLIED`. */
export function appliedFrom(rows: readonly (readonly unknown[])[]): readonly Migration[] {
  return rows.map(([when, name, hash]) => ({ when: Number(when), name: String(name), hash: String(hash) }));
}

/** Whether the database holds an unfinished copy. */
export function isUnfinishedCopy(applied: readonly Migration[]): boolean {
  return applied.some(({ when }) => when === UNFINISHED_COPY);
}

/** A migration that only adds what older versions neither read nor have to write: they serve beside the newer version. */
const EXPANDING = /^\d{4}_expand-/;

/**
 * Whether a newer version of Countersign changed the database so that this version cannot use it: it has a migration that this
 * version does not know and that does more than expand.
 */
export function isNewer(applied: readonly Migration[]): boolean {
  return applied.some(
    ({ when, name }) => when > FIRST && !MIGRATIONS.some((known) => known.when === when) && !EXPANDING.test(name),
  );
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

/** Returns the migrations that the database still needs. */
export function pendingMigrations(applied: readonly Migration[]): readonly MigrationWithSql[] {
  return MIGRATIONS.filter(({ when }) => !applied.some((done) => done.when === when));
}

function readMigrations(): MigrationWithSql[] {
  const text = readFileSync(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8');
  const { entries } = JSON.parse(text) as { entries: { tag: string; when: number }[] };
  const files = readMigrationFiles({ migrationsFolder: FOLDER });
  return entries.map(({ tag, when }, index) => {
    const { sql = [], hash = '' } = files[index] ?? {};
    // Names and hashes are ours: letters, digits, `_` and `-`.
    const entry = `insert into ${MIGRATIONS_TABLE} (created_at, name, hash) values (${when}, '${tag}', '${hash}')`;
    return { name: tag, when, hash, sql: [entry, ...sql].join(';\n') };
  });
}
