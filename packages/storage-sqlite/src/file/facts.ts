import { type Connection, sqliteCode } from '../connection/connection.ts';
import { appliedMigrations, type Migration, pendingMigrations } from './migrations.ts';

/** What `countersign doctor` reports about a database. */
export interface SqliteFacts {
  /** Path of the database file. */
  readonly file: string;
  /** Size of the database without its write-ahead log. */
  readonly sizeBytes: number;
  readonly sqliteVersion: string;
  /** Names, oldest first. */
  readonly appliedMigrations: readonly string[];
  readonly pendingMigrations: readonly string[];
  /** 'ok', or a line for each damage. */
  readonly integrity: 'ok' | readonly string[];
}

/** Reads the whole file, so it takes its time: about a second for a gigabyte. */
export function factsOf(connection: Connection): SqliteFacts {
  const applied = appliedMigrations(connection);
  return {
    file: connection.name,
    sizeBytes: numberOf(connection, 'page_count') * numberOf(connection, 'page_size'),
    sqliteVersion: connection.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '',
    appliedMigrations: applied.map(nameOf),
    pendingMigrations: pendingMigrations(applied).map(nameOf),
    integrity: integrityOf(connection),
  };
}

function numberOf(connection: Connection, pragma: string): number {
  return Number(connection.pragma(pragma, { simple: true }));
}

function nameOf({ name }: Migration): string {
  return name;
}

/** Runs SQLite's check of the whole file, its indexes and constraints. Returns 'ok', or a line for each damage. */
export function integrityOf(connection: Connection): 'ok' | readonly string[] {
  const found: string[] = [];
  try {
    for (const line of connection.prepare<[], string>('PRAGMA integrity_check').pluck().iterate())
      found.push(line);
  } catch (error) {
    // Some damage aborts the check.
    if (!isDamage(error)) throw error;
    found.push(error.message);
  }
  // SQLite puts what it says of one database into one text, below a heading.
  const lines = found.flatMap((text) => text.split('\n')).filter((line) => !line.startsWith('***'));
  return lines.length === 1 && lines[0] === 'ok' ? 'ok' : lines;
}

function isDamage(error: unknown): error is Error {
  const code = sqliteCode(error);
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT');
}
