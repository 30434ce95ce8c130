import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { AccountsOpenError } from '../errors.ts';
import type { AccountsDatabase } from './accounts-database.ts';

export interface Migration {
  /** As its file is called: `0000_staff`. */
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** A table of their own: the storage's migrations know nothing of these, and the other way round. */
export const MIGRATIONS_TABLE = 'staff_migrations';

/** The same in both kinds of database. */
export const CREATE_MIGRATIONS_TABLE: string = `
  CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (name TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL, applied_at TEXT NOT NULL)`;

/** All of this version, oldest first. */
export function migrationsFor(kind: AccountsDatabase['kind']): readonly Migration[] {
  // Beside `src` and `dist`, whichever of them this is.
  const folder = new URL(`../../migrations/${kind}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file) => {
    const sql = readFileSync(new URL(file, folder), 'utf8');
    return { name: file.replace(/\.sql$/, ''), sql, hash: hash('sha256', sql) };
  });
}

/**
 * What is yet to be done.
 * @param applied names from the table
 * @throws AccountsOpenError `newer_version`
 */
export function pendingMigrations(all: readonly Migration[], applied: readonly string[]): readonly Migration[] {
  if (applied.some((name) => !all.some((known) => known.name === name))) {
    throw new AccountsOpenError(
      'newer_version',
      'A newer version of Countersign has changed the tables of accounts: use that version',
    );
  }
  return all.filter(({ name }) => !applied.includes(name));
}

/** @throws AccountsOpenError `outdated` */
export function refuseOutdated(pending: readonly Migration[]): void {
  if (pending.length === 0) return;
  throw new AccountsOpenError('outdated', 'The tables of accounts need migrations: run `countersign migrate`');
}
