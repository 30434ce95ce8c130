import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { CountersignError } from '@countersign/domain';
import Database from 'better-sqlite3';
import { AccountsOpenError } from '../errors.ts';

export type SqliteConnection = Database.Database;

/** SQLite blocks the event loop while it waits for a lock, so each wait is short; `whileBusy` retries. */
const BUSY_TIMEOUT_MS = 25;
const WAIT_MS = 5_000;
const PAUSE_MS = 20;
/** The page cache is small, because accounts read few rows. */
const CACHE_KIB = 500;

/** Opens a connection with the same settings as the storage's. @throws AccountsOpenError `missing` */
export async function connectSqlite(file: string): Promise<SqliteConnection> {
  // A file created here would lack the storage's application id.
  if (!existsSync(file)) throw new AccountsOpenError('missing', `There is no database at ${file}`);
  const connection = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await whileBusy(() => connection.pragma('journal_mode = WAL'));
    connection.pragma(`cache_size = -${CACHE_KIB}`);
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    connection.pragma('secure_delete = ON');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Retries while another process holds the lock.
 * @throws CountersignError `SERVICE_UNAVAILABLE` if it keeps the lock, or if the disk fails or the file is damaged
 */
export async function whileBusy<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return attempt();
    } catch (cause) {
      if (isOutage(cause)) {
        throw new CountersignError('SERVICE_UNAVAILABLE', 'The database cannot be read or written', { cause });
      }
      if (!isBusy(cause)) throw cause;
      if (performance.now() >= deadline) {
        throw new CountersignError('SERVICE_UNAVAILABLE', 'The database is locked by another process', { cause });
      }
    }
    await pause(PAUSE_MS);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code);
}

/** Whether SQLite found the file's structure broken. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
}

/** A disk that is full, fails or is read-only, or a damaged file. */
function isOutage(error: unknown): boolean {
  if (isDamage(error)) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(error.code);
}
