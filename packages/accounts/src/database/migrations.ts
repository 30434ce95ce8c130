import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { AccountsOpenError } from '../errors.ts';
import type { AccountsDatabase } from './tables.ts';

export interface Migration {
  /** The name of its file: `0000_accounts`. */
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** Statements on the tables of accounts that load no library: migrations, and the checks of a start. */
export interface Migrator {
  /** Returns the names of the applied migrations; none without tables of accounts. */
  applied(): Promise<readonly string[]>;
  /**
   * Applies pending migrations, all or none. Of several processes at once, one migrates and the others wait.
   * @returns names of the migrations applied now
   */
  migrate(): Promise<readonly string[]>;
  /** Runs a statement that returns nothing. */
  run(sql: string): Promise<void>;
  /** Runs a statement that returns one column of text; none without tables of accounts. */
  select(sql: string): Promise<readonly string[]>;
}

/** Separate from the storage's table of migrations. */
export const MIGRATIONS_TABLE = 'staff_migrations';

/** A migration that only adds what earlier versions neither read nor have to write, so they serve beside it. */
const EXPANDING = /^\d{4}_expand-/;

/** Runs on both kinds of database. */
export const CREATE_MIGRATIONS_TABLE: string = `
  CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL)`;

/** Reads the migrations of this version, oldest first. */
export function migrationsFor(kind: AccountsDatabase['kind']): readonly Migration[] {
  // `migrations` lies beside both `src` and `dist`.
  const folder = new URL(`../../migrations/${kind}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    const sql = readFileSync(new URL(file, folder), 'utf8');
    return { name: file.replace(/\.sql$/, ''), sql, hash: hash('sha256', sql) };
  });
}

/**
 * Lists the migrations that a database still needs.
 * @param applied names from the table
 * @throws AccountsOpenError `older_version`, `newer_version`
 */
export function pendingMigrations(all: readonly Migration[], applied: readonly string[]): readonly Migration[] {
  // Every released version has the initial migration; earlier development versions had others.
  if (applied.length > 0 && !applied.includes(all[0]?.name ?? '')) {
    throw new AccountsOpenError(
      'older_version',
      'The tables of accounts were made by a development version of Countersign and cannot be migrated. Use an empty database',
    );
  }
  if (applied.some((name) => !EXPANDING.test(name) && !all.some((known) => known.name === name))) {
    throw new AccountsOpenError(
      'newer_version',
      'The tables of accounts were changed by a newer version of Countersign. Use that version',
    );
  }
  return all.filter(({ name }) => !applied.includes(name));
}
