import type { Storage } from '@countersign/domain/storage';
import { connect } from './connection/connection.ts';
import { createSession } from './connection/session.ts';
import { SqliteOpenError } from './errors.ts';
import { backUp, type SqliteBackupProgress } from './file/backup.ts';
import { createErasedSpace } from './file/erased-space.ts';
import { factsOf } from './file/facts.ts';
import { identityOf, realFile, statOf } from './file/files.ts';
import { inspectFile } from './file/inspect-file.ts';
import { integrityOf, quickCheck, quickCheckApart } from './file/integrity.ts';
import type { MigrationSteps } from './file/migration-steps.ts';
import { appliedMigrations, isNewer, isUnfinishedCopy, pendingMigrations } from './file/migrations.ts';
import { migrateDatabase, openDatabase } from './file/open-database.ts';
import type { Checked, CheckedTables, ErasedSpace, SqliteFacts } from './file/reports.ts';
import { requireFinishedRestore } from './file/restore-mark.ts';
import { checkTables } from './file/table-check.ts';
import { createReaderThread } from './reader/reader-thread.ts';
import { createApiKeyRepository } from './repositories/api-key-repository.ts';
import { createAppearanceRepository } from './repositories/appearance-repository.ts';
import { createAuditLog } from './repositories/audit-log.ts';
import { createClientRepository } from './repositories/client-repository.ts';
import { createDataKeyRepository } from './repositories/data-key-repository.ts';
import { createExportRepository } from './repositories/export-repository.ts';
import { createHandOverRepository } from './repositories/hand-over-repository.ts';
import { createIndexRepository } from './repositories/index-repository.ts';
import type { RunLongRead } from './repositories/long-read-kinds.ts';
import { longReadsOn } from './repositories/long-reads.ts';
import { createMailQueue } from './repositories/mail-queue.ts';
import { createReadingRepository } from './repositories/reading-repository.ts';
import { createRetentionRepository } from './repositories/retention/retention-repository.ts';
import { createCounterRepository } from './repositories/verification-counts.ts';
import { createVerificationRepository } from './repositories/verification-repository.ts';
import { createWebhookRepository } from './repositories/webhooks/webhook-repository.ts';

/** Options of `createSqliteStorage`. */
export interface SqliteStorageOptions {
  /**
   * Path of the database file. File and directory are created if there are none, for the eyes of this user alone
   * (0600, 0700). SQLite keeps `<file>-wal` and `<file>-shm` beside it while it is open.
   */
  readonly file: string;
  /** Whether to apply pending migrations; default true. With false, an outdated file is refused. */
  readonly migrate?: boolean | undefined;
  /**
   * Whether to open the file for reading only, leaving nothing beside it: a backup, also on a read-only disk. Writes
   * reject. Default false; true needs `migrate: false`.
   */
  readonly readonly?: boolean | undefined;
  /** How long another process may hold a lock before an operation, or opening, gives up; in ms, default 5,000. */
  readonly lockWaitMs?: number | undefined;
  /**
   * The folders that the environment variables `SQLITE_TMPDIR` and `TMPDIR` name, in this order, default none. SQLite reads the variables
   * itself; their free space is checked before a large file is rewritten.
   */
  readonly temporaryFolders?: readonly string[] | undefined;
  /** Called once, with SQLite's findings, when the file is found damaged: one line, without values of rows. */
  readonly onDamage?: ((reason: string) => void) | undefined;
}

/** A storage on SQLite, with what operators need beyond the ports. */
export interface SqliteStorage extends Storage {
  /**
   * Copies a snapshot of the database to a new file, while reads and writes continue.
   * @throws SqliteBackupError if the target exists or cannot be written
   */
  backup(toFile: string, onProgress?: (progress: SqliteBackupProgress) => void): Promise<void>;
  /**
   * Checks the structure of the file. A file up to `apartFrom` bytes is checked before this returns, a larger one in a
   * thread of its own. Damage stops all writes, and `ping` rejects.
   */
  quickCheck(options?: { readonly apartFrom?: number }): QuickCheck;
  /**
   * Checks the structure of the file table by table, with pauses, in a thread of its own, while the file is used. Damage stops all writes,
   * and `ping` rejects. `close` and `signal` end the check early.
   */
  checkTables(options?: { readonly signal?: AbortSignal }): Promise<CheckedTables>;
  /** Refuses all writes from now on, and makes `ping` reject: another connection to the file found it damaged. */
  stopWrites(cause: unknown): void;
  /** Throws `SERVICE_UNAVAILABLE` if the file was found damaged, so that other connections stop writing too. */
  requireSound(): void;
  /** Whether no damage of the file was found. Once it is false, it stays so. */
  isSound(): boolean;
  /** Copies of erased values in the free space of the file. */
  readonly erasedSpace: ErasedSpace;
  /** Collects what `countersign doctor` reports. Checks the whole file. */
  inspect(): Promise<SqliteFacts>;
}

/** A check of the file: done, or still running. */
export type QuickCheck =
  | { readonly isDone: true; readonly found: Checked }
  | { readonly isDone: false; readonly found: Promise<Checked> };

const LOCK_WAIT_MS = 5_000;

/** Size up to which all of a database is read on the event loop: about 3 ms. */
const SMALL_BYTES = 2_000_000;

/** Size from which a database is checked while it is used: 1 GB, which takes about a second. */
const APART_FROM_BYTES = 1_000_000_000;

/**
 * Storage in one SQLite file. Writes that arrive together share a commit and are answered once it is on the disk;
 * several processes may use the file at once.
 * @throws SqliteOpenError when the file must not or cannot be used; then it was not touched
 *
 * @example
 * const storage = await createSqliteStorage({ file: 'data/countersign.db' });
 */
export async function createSqliteStorage(options: SqliteStorageOptions): Promise<SqliteStorage> {
  const { migrate = true, readonly = false, lockWaitMs: waitMs = LOCK_WAIT_MS, temporaryFolders = [] } = options;
  const file = realFile(options.file);
  const connection = await openDatabase(file, { migrate, waitMs, readonly });
  const identity = identityOf(connection.name);
  const reader = createReaderThread(connection.name);
  const session = createSession(connection, {
    waitMs,
    checkpointApart: () => reader.run('checkpoint'),
    onDamage: options.onDamage,
  });
  const closing = new AbortController();
  const checks = new Set<Promise<CheckedTables>>();

  const readHere = longReadsOn(connection);
  /** All of a small database is read before the thread would have started. Lists ask for the thread by their own plan. */
  const runLongRead: RunLongRead = (kind, ...given) =>
    kind !== 'list' && kind !== 'browse' && isSmall(connection.name)
      ? readHere(kind, ...given)
      : reader.run(kind, ...given);

  /** What is written to a file without a name is lost as soon as this process ends. */
  const requireSameFile = (): void => {
    if (identityOf(connection.name) !== identity) throw new Error(`${connection.name} was removed or replaced`);
  };

  const judged = (found: Checked): Checked => {
    if (found !== 'ok') session.stopWrites(new Error(found[0]));
    return found;
  };

  return {
    verifications: createVerificationRepository(session, runLongRead),
    apiKeys: createApiKeyRepository(session),
    clients: createClientRepository(session),
    webhooks: createWebhookRepository(session),
    dataKeys: createDataKeyRepository(session, runLongRead),
    retention: createRetentionRepository(session),
    exports: createExportRepository(session),
    handOvers: createHandOverRepository(session),
    readings: createReadingRepository(session),
    indexes: createIndexRepository(session),
    mails: createMailQueue(session),
    appearances: createAppearanceRepository(session),
    counters: createCounterRepository(session, runLongRead),
    audit: createAuditLog(session, runLongRead),
    ping: () =>
      session.read(() => {
        session.requireSound();
        requireSameFile();
        const applied = appliedMigrations(connection);
        if (isUnfinishedCopy(applied)) throw new Error(`A copy into ${connection.name} is not finished`);
        if (isNewer(applied) || pendingMigrations(applied).length > 0) {
          throw new Error(`The schema of ${connection.name} is not the one of this version`);
        }
      }),
    backup: (toFile, onProgress) => backUp(connection.name, toFile, { checkFile, onProgress }),
    quickCheck({ apartFrom = APART_FROM_BYTES } = {}) {
      if ((statOf(connection.name)?.size ?? 0) < apartFrom) {
        return { isDone: true, found: judged(quickCheck(connection)) };
      }
      // A server that stops does not wait for it.
      const found = quickCheckApart(connection.name, { endsWithProcess: true });
      return { isDone: false, found: found.then(judged) };
    },
    async checkTables({ signal } = {}) {
      const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
      const check = session.readApart(() => checkTables(connection.name, AbortSignal.any(signals)));
      checks.add(check);
      try {
        const checked = await check;
        if (checked.outcome === 'damaged') judged(checked.found);
        return checked;
      } finally {
        checks.delete(check);
      }
    },
    stopWrites: session.stopWrites,
    requireSound: session.requireSound,
    isSound: session.isSound,
    erasedSpace: createErasedSpace(session, { requireSameFile, temporaryFolders }),
    inspect: () => session.readApart(() => runLongRead('facts')),
    close() {
      closing.abort();
      return session.close(async () => {
        // Their connections would keep the write-ahead log, in which erased values can be.
        await Promise.allSettled(checks);
        await reader.close();
      });
    },
  };
}

/**
 * Creates the database if there is none and applies pending migrations, without opening a storage.
 * @returns names of the migrations applied now, oldest first
 * @throws SqliteOpenError as `createSqliteStorage`
 */
export async function migrateSqlite(
  options: Pick<SqliteStorageOptions, 'file' | 'lockWaitMs'> & MigrationSteps,
): Promise<readonly string[]> {
  return migrateDatabase(realFile(options.file), options.lockWaitMs ?? LOCK_WAIT_MS, options);
}

/**
 * Reads which migrations a database has and which it lacks. Changes nothing. Without a database, all are pending.
 * @throws SqliteOpenError for a file that this version must not write to
 */
export async function inspectSqliteSchema({ file }: Pick<SqliteStorageOptions, 'file'>): Promise<{
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}> {
  const path = realFile(file);
  requireFinishedRestore(path);
  const state = await inspectFile(path, LOCK_WAIT_MS);
  const applied = state.kind === 'empty' ? [] : state.applied;
  return { applied: applied.map(({ name }) => name), pending: pendingMigrations(applied).map(({ name }) => name) };
}

function isSmall(file: string): boolean {
  return (statOf(file)?.size ?? 0) <= SMALL_BYTES;
}

/** Checks a whole file, a large one in a thread of its own. */
async function checkFile(file: string): Promise<Checked> {
  if (isSmall(file)) return checkHere(file);
  const thread = createReaderThread(file);
  try {
    return await thread.run('integrity');
  } finally {
    await thread.close();
  }
}

function checkHere(file: string): Checked {
  const connection = connect(file, { readonly: true, fileMustExist: true });
  try {
    return integrityOf(connection);
  } finally {
    connection.close();
  }
}

/**
 * Copies a snapshot of a database, of this version or an older one, to a new file, while servers use it.
 * @throws SqliteBackupError if the target exists or cannot be written; SqliteOpenError as `createSqliteStorage`
 */
export async function backUpSqlite(options: {
  readonly file: string;
  readonly target: string;
  readonly onProgress?: ((progress: SqliteBackupProgress) => void) | undefined;
}): Promise<void> {
  const path = realFile(options.file);
  requireFinishedRestore(path);
  const state = await inspectFile(path, LOCK_WAIT_MS);
  if (state.kind === 'empty') throw new SqliteOpenError('missing', `There is no database at ${path}`);
  await backUp(path, options.target, { checkFile, onProgress: options.onProgress });
}

/**
 * Reads and checks a whole backup, of this version or an older one. Changes nothing and leaves nothing beside the file.
 * @throws SqliteOpenError if it is no database of Countersign, or one of a newer version
 */
export async function inspectSqliteBackup({ file }: Pick<SqliteStorageOptions, 'file'>): Promise<SqliteFacts> {
  const path = realFile(file);
  const state = await inspectFile(path, LOCK_WAIT_MS, { readonly: true });
  if (state.kind === 'empty') throw new SqliteOpenError('not_a_database', `${path} is empty`);
  const connection = connect(path, { readonly: true, fileMustExist: true });
  try {
    return factsOf(connection);
  } finally {
    connection.close();
  }
}
