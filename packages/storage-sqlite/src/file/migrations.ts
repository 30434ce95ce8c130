import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../connection/connection.ts';
import { drizzle, migrate } from '../drizzle.ts';

export interface Migration {
  /** As its file is called: `0000_initial-schema`. */
  readonly name: string;
  /** When it was written, in ms: what the migrator knows it by. */
  readonly when: number;
}

const TABLE = 'countersign_migrations';

/** Beside `src` and `dist`, whichever of them this is. */
const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

/** All migrations of this version, oldest first. */
export const MIGRATIONS: readonly Migration[] = readJournal();

/** What the migrations table of a database holds, oldest first; nothing where there is no such table yet. */
export function appliedMigrations(connection: Connection): readonly Migration[] {
  const found = connection.prepare('SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?').get('table', TABLE);
  if (found === undefined) return [];
  const rows = connection.prepare<[], { when: number }>(
    `SELECT created_at AS "when" FROM ${TABLE} ORDER BY created_at`,
  );
  return rows.all().map(({ when }) => ({ when, name: nameOf(when) ?? `unknown migration of ${when}` }));
}

/** Whether a later version of Countersign has changed the database: it knows migrations that this one does not. */
export function isNewer(applied: readonly Migration[]): boolean {
  return applied.some(({ when }) => nameOf(when) === undefined);
}

/** What this version has yet to do to the database. */
export function pendingMigrations(applied: readonly Migration[]): readonly Migration[] {
  return MIGRATIONS.filter(({ when }) => !applied.some((done) => done.when === when));
}

/** Applies what is pending, all or nothing. The caller holds a lock: the migrator has none. */
export function applyMigrations(connection: Connection): void {
  migrate(drizzle({ client: connection }), { migrationsFolder: FOLDER, migrationsTable: TABLE });
}

function nameOf(when: number): string | undefined {
  return MIGRATIONS.find((migration) => migration.when === when)?.name;
}

function readJournal(): Migration[] {
  const text = readFileSync(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8');
  const { entries } = JSON.parse(text) as { entries: { tag: string; when: number }[] };
  return entries.map(({ tag, when }) => ({ name: tag, when }));
}
