import { type Connection, sqliteCode } from '../connection/connection.ts';

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
