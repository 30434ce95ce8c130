import Database from 'better-sqlite3';
import { requireNode } from './node-version.ts';

export type Connection = Database.Database;

/**
 * How long a statement may wait for another process's lock, in ms. SQLite waits by blocking the whole event loop, so
 * it is short; whoever can wait longer tries again in between (`whileBusy`, the group commit).
 */
const BUSY_TIMEOUT_MS = 25;

/** The only place that makes connections. They are bare: `setPragmas` belongs to those that write. */
export function connect(file: string, options: { readonly?: boolean; fileMustExist?: boolean } = {}): Connection {
  requireNode(process.versions.node);
  return new Database(file, { ...options, timeout: BUSY_TIMEOUT_MS });
}

/** SQLite's extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`; empty for any other error. */
export function sqliteCode(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : '';
}

/** Whether another connection's lock stood in the way: the same may work a little later. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}
