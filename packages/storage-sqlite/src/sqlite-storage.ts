import type { Storage } from '@countersign/domain';
import { createSession } from './connection/session.ts';
import { backUp } from './file/backup.ts';
import { factsOf, type SqliteFacts } from './file/facts.ts';
import { identityOf, realFile } from './file/files.ts';
import { appliedMigrations, isNewer, isUnfinishedCopy, pendingMigrations } from './file/migrations.ts';
import { migrateDatabase, openDatabase } from './file/open-database.ts';
import { createApiKeyRepository } from './repositories/api-key-repository.ts';
import { createAuditLog } from './repositories/audit-log.ts';
import { createClientRepository } from './repositories/client-repository.ts';
import { createDataKeyRepository } from './repositories/data-key-repository.ts';
import { createOutbox } from './repositories/outbox.ts';
import { createVerificationRepository } from './repositories/verification-repository.ts';

export interface SqliteStorageOptions {
  /**
   * Path of the database file. File and directory are created if there are none, for the eyes of this user alone
   * (0600, 0700). SQLite keeps `<file>-wal` and `<file>-shm` beside it while it is open.
   */
  readonly file: string;
  /** Whether to apply pending migrations; default true. With false, an outdated file is refused. */
  readonly migrate?: boolean | undefined;
  /** How long another process may hold a lock before an operation, or opening, gives up; in ms, default 5,000. */
  readonly lockWaitMs?: number | undefined;
}

export interface SqliteStorage extends Storage {
  /**
   * Copies a snapshot of the database to a new file, while reads and writes continue.
   * @throws SqliteBackupError if the target exists or cannot be written
   */
  backup(toFile: string): Promise<void>;
  /** Collects what `countersign doctor` reports. Checks the whole file. */
  inspect(): Promise<SqliteFacts>;
}

const LOCK_WAIT_MS = 5_000;

/**
 * Storage in one SQLite file. Writes that arrive together share a commit and are answered once it is on the disk;
 * several processes may use the file at once.
 * @throws SqliteOpenError when the file must not or cannot be used; then it was not touched
 *
 * @example
 * const storage = await createSqliteStorage({ file: 'data/countersign.db' });
 */
export async function createSqliteStorage(options: SqliteStorageOptions): Promise<SqliteStorage> {
  const { migrate = true, lockWaitMs: waitMs = LOCK_WAIT_MS } = options;
  const connection = await openDatabase(realFile(options.file), { migrate, waitMs });
  const identity = identityOf(connection.name);
  const session = createSession(connection, { waitMs });

  return {
    verifications: createVerificationRepository(session),
    apiKeys: createApiKeyRepository(session),
    clients: createClientRepository(session),
    outbox: createOutbox(session),
    dataKeys: createDataKeyRepository(session),
    audit: createAuditLog(session),
    ping: () =>
      session.read(() => {
        // What is written to a file without a name is lost as soon as this process ends.
        if (identityOf(connection.name) !== identity)
          throw new Error(`${connection.name} was removed or replaced`);
        const applied = appliedMigrations(connection);
        if (isUnfinishedCopy(applied)) throw new Error(`A copy into ${connection.name} is not finished`);
        if (isNewer(applied) || pendingMigrations(applied).length > 0) {
          throw new Error(`The schema of ${connection.name} is not the one of this version`);
        }
      }),
    backup: (toFile) => backUp(connection.name, toFile),
    inspect: () => session.read(() => factsOf(connection)),
    close: session.close,
  };
}

/**
 * Creates the database if there is none and applies pending migrations, without opening a storage.
 * @returns names of the migrations applied now, oldest first
 * @throws SqliteOpenError as `createSqliteStorage`
 */
export async function migrateSqlite(
  options: Pick<SqliteStorageOptions, 'file' | 'lockWaitMs'>,
): Promise<readonly string[]> {
  return migrateDatabase(realFile(options.file), options.lockWaitMs ?? LOCK_WAIT_MS);
}
