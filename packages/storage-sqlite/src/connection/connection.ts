import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { SqliteOpenError } from '../errors.ts';
import { isBusy, sqliteCode } from './sqlite-codes.ts';

export type Connection = Database.Database;

/**
 * How long a statement may wait for another process's lock, in ms. Short, because SQLite blocks the event loop while it
 * waits. Callers that can wait longer retry (`whileBusy`, the group commit).
 */
const BUSY_TIMEOUT_MS = 25;

/** Opens every connection. Connections that write call `setPragmas` too. */
export function connect(file: string, options: { readonly?: boolean; fileMustExist?: boolean } = {}): Connection {
  requireNode(process.versions.node);
  return new Database(file, { ...options, timeout: BUSY_TIMEOUT_MS });
}

const OLDEST = { major: 22, minor: 14 };

/**
 * Checks the version of Node before the driver's native part is loaded, which crashes an older Node with a segmentation
 * fault.
 * @throws SqliteOpenError `node_too_old`
 */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  const needed = `${OLDEST.major}.${OLDEST.minor}`;
  throw new SqliteOpenError(
    'node_too_old',
    `SQLite storage needs Node ${needed} or newer, this is Node ${version}`,
  );
}

/** Bytes the write-ahead log may keep on the disk once it is checkpointed; a long backup can make it larger. */
export const WAL_KEPT_BYTES: number = 64 * 1024 * 1024;

/** Pages kept in memory, in KiB. The driver's default is 16 MB; the system keeps the file in its own cache anyway. */
const CACHE_KIB = 4_000;

/**
 * Sets the pragmas of one connection, on every open. Without `synchronous`, a re-opened WAL database runs at NORMAL,
 * and a power failure can lose an acknowledged write. `secure_delete` overwrites replaced rows, because they are
 * personal data.
 */
export function setPragmas(connection: Connection): void {
  const mode = connection.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') {
    const message = `The database ${connection.name} cannot be opened: its file system holds no write-ahead log`;
    throw new SqliteOpenError('unreadable', message);
  }
  limitCache(connection);
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
}

/** Limits the pages that a connection keeps in memory. */
export function limitCache(connection: Connection): void {
  connection.pragma(`cache_size = -${CACHE_KIB}`);
}

const PAUSE_MS = 20;

/** Retries while another connection holds the lock, for `waitMs` at most, without blocking the event loop. */
export async function whileBusy<T>(attempt: () => T, waitMs: number): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** Constraints whose violation is an expected outcome, by SQLite's message. */
const MESSAGES = {
  oneActiveVerification: "UNIQUE constraint failed: index 'verifications_one_active'",
  idempotencyKey: 'UNIQUE constraint failed: verifications.client_id, verifications.idempotency_key',
  allowance: 'CHECK constraint failed: usage_within_allowance',
  keySlot: 'CHECK constraint failed: api_keys_slot_in_range',
  endpointSlot: 'CHECK constraint failed: webhook_endpoints_slot_in_range',
  clientId: 'UNIQUE constraint failed: clients.id',
  knownClient: 'FOREIGN KEY constraint failed',
  nextAuditEntry: 'The audit log is a chain: a new entry must follow the last one',
} as const;

export type ConstraintName = keyof typeof MESSAGES;

const NAMES = new Map<string, ConstraintName>(
  Object.entries(MESSAGES).map(([name, message]) => [message, name as ConstraintName]),
);

/** Returns the violated constraint, or null for any other error, which is a fault. */
export function violatedConstraint(error: unknown): ConstraintName | null {
  if (!sqliteCode(error).startsWith('SQLITE_CONSTRAINT')) return null;
  return NAMES.get((error as Error).message) ?? null;
}
