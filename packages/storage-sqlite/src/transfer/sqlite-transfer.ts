import type { TransferSource, TransferTarget } from '@countersign/domain/storage';
import { type Connection, whileBusy } from '../connection/connection.ts';
import { createSession } from '../connection/session.ts';
import { SqliteOpenError } from '../errors.ts';
import { realFile } from '../file/files.ts';
import { translated } from '../file/inspect-file.ts';
import type { FileLock } from '../file/locks.ts';
import {
  appliedMigrations,
  isUnfinishedCopy,
  markUnfinishedCopy,
  unmarkUnfinishedCopy,
} from '../file/migrations.ts';
import { openDatabase } from '../file/open-database.ts';
import { lockForServing } from '../file/serving.ts';
import { createLinkMails } from '../repositories/link-mails.ts';
import { assignDueTimes, assignKeySlots, createTransferReader, createTransferWriter } from './copied-rows.ts';

/** Options of `createSqliteTransferSource` and `createSqliteTransferTarget`. */
export interface SqliteTransferOptions {
  /** Path of the database file. */
  readonly file: string;
  /** How long another process may hold a lock, in ms; default 5,000. */
  readonly lockWaitMs?: number | undefined;
}

interface Closable {
  /** Releases the file. Closing twice is allowed. */
  close(): Promise<void>;
}
/** A database file that is copied from. Close it after the copy. */
export type SqliteTransferSource = TransferSource & Closable;
/** A database file that is copied into. Close it after the copy. */
export type SqliteTransferTarget = TransferTarget & Closable;

const LOCK_WAIT_MS = 5_000;

/**
 * Opens the database to copy from. While it is open no server can serve it and no process can write to it, so everything read is
 * one snapshot. It is neither created nor migrated.
 * @throws SqliteOpenError as `createSqliteStorage` without migrating, and `already_served`
 */
export async function createSqliteTransferSource(options: SqliteTransferOptions): Promise<SqliteTransferSource> {
  const waitMs = options.lockWaitMs ?? LOCK_WAIT_MS;
  const { connection, lock } = await openAlone(options.file, { migrate: false, waitMs });
  try {
    await translated(connection.name, () => whileBusy(() => connection.exec('BEGIN IMMEDIATE'), waitMs));
  } catch (error) {
    connection.close();
    lock.release();
    throw error;
  }
  const session = createSession(connection, { waitMs });
  // Mails that wait in their verifications are read with the others. The rollback of `close` leaves them where they were.
  createLinkMails(session).moveDue(Number.MAX_SAFE_INTEGER, -1);
  return {
    ...createTransferReader(session),
    async close() {
      if (connection.inTransaction) connection.exec('ROLLBACK');
      await session.close();
      lock.release();
    },
  };
}

/**
 * Opens the database to copy into, and creates it if there is none. While it is open, and until the copy is finished, no server can
 * serve it.
 * @throws SqliteOpenError as `createSqliteStorage`, and `already_served`
 */
export async function createSqliteTransferTarget(options: SqliteTransferOptions): Promise<SqliteTransferTarget> {
  const waitMs = options.lockWaitMs ?? LOCK_WAIT_MS;
  const { connection, lock } = await openAlone(options.file, { migrate: true, forCopying: true, waitMs });
  const session = createSession(connection, { waitMs });
  const change = (act: () => void): Promise<void> =>
    session.write(() => {
      act();
      return { keep: true, value: undefined };
    });
  return {
    ...createTransferReader(session),
    hasUnfinishedCopy: () => session.read(() => isUnfinishedCopy(appliedMigrations(connection))),
    begin: () => change(() => markUnfinishedCopy(connection)),
    write: createTransferWriter(session),
    finish: () =>
      change(() => {
        assignKeySlots(session);
        assignDueTimes(session);
        unmarkUnfinishedCopy(connection);
      }),
    async close() {
      await session.close();
      lock.release();
    },
  };
}

/** Checks the file first, so that no lock is left beside a refused file. */
async function openAlone(
  path: string,
  options: { migrate: boolean; forCopying?: boolean; waitMs: number },
): Promise<{ connection: Connection; lock: FileLock }> {
  const file = realFile(path);
  const connection = await openDatabase(file, options);
  try {
    return { connection, lock: lockForServing(file) };
  } catch (error) {
    connection.close();
    if (!(error instanceof SqliteOpenError) || error.code !== 'already_served') throw error;
    throw new SqliteOpenError('already_served', `A server serves the database ${file}: stop it first`, {
      cause: error,
    });
  }
}
