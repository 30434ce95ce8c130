import { CountersignError } from '@countersign/domain';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { drizzle } from '../drizzle.ts';
import { type Connection, isBusy } from './connection.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

/** The repositories' access to the database. */
export interface Session extends Pick<GroupCommit, 'write'> {
  readonly connection: Connection;
  readonly db: BetterSQLite3Database;
  /** Runs one statement that only reads. Rejects with SQLite's error. */
  read<T>(query: () => T): Promise<T>;
  /** Runs several statements on one snapshot. */
  readAtOnce<T>(query: () => T): Promise<T>;
  /** Waits for writes that have begun and closes the connection. */
  close(): Promise<void>;
}

/**
 * One connection is enough: SQLite answers synchronously, so a read never falls between the beginning of a group
 * commit and its end.
 */
export function createSession(connection: Connection, options: { waitMs: number }): Session {
  const writer = createGroupCommit(connection, options);
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');

  let closing: Promise<void> | undefined;

  const read = async <T>(query: () => T): Promise<T> => {
    if (closing !== undefined) throw new Error('The storage is closed');
    try {
      return query();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      throw new CountersignError('SERVICE_UNAVAILABLE', 'The database is locked by another process', { cause });
    }
  };

  return {
    connection,
    db: drizzle({ client: connection }),
    write: writer.write,
    read,
    readAtOnce: (query) =>
      read(() => {
        begin.run();
        try {
          const result = query();
          commit.run();
          return result;
        } finally {
          if (connection.inTransaction) rollback.run();
        }
      }),
    close: () => (closing ??= close()),
  };

  async function close(): Promise<void> {
    await writer.close();
    // The last connection to a database moves the write-ahead log into it and removes it.
    connection.close();
  }
}
