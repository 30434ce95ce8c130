import type { Connection } from '../connection/connection.ts';

/** SQLite's own check of the whole file, its indexes and constraints: 'ok', or a line for each thing it found. */
export function integrityOf(connection: Connection): 'ok' | readonly string[] {
  const found = connection.prepare<[], string>('PRAGMA integrity_check').pluck().all();
  return found.length === 1 && found[0] === 'ok' ? 'ok' : found;
}
