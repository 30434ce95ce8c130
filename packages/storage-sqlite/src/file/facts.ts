import { type Connection, sqliteCode } from '../connection/connection.ts';
import { appliedMigrations, type Migration, pendingMigrations } from './migrations.ts';

/** What an operator wants to know of a database (`countersign doctor`). */
export interface SqliteFacts {
  /** Path of the database file. */
  readonly file: string;
  /** What the database takes, its write-ahead log not counted. */
  readonly sizeBytes: number;
  readonly sqliteVersion: string;
  /** Names, oldest first. */
  readonly appliedMigrations: readonly string[];
  readonly pendingMigrations: readonly string[];
  /** 'ok', or a line for each thing that is broken. */
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

/** SQLite's own check of the whole file, its indexes and constraints: 'ok', or a line for each thing it found. */
export function integrityOf(connection: Connection): 'ok' | readonly string[] {
  const found: string[] = [];
  try {
    for (const line of connection.prepare<[], string>('PRAGMA integrity_check').pluck().iterate())
      found.push(line);
  } catch (error) {
    // Some damage ends the check itself.
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
