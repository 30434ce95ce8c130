import type { Storage } from '@countersign/domain/storage';
import type postgres from 'postgres';
import { DELETE_ALL } from './delete-all.ts';

/** One storage on Postgres for many cases. */
export interface EmptiedStorage {
  /** Empties the database and returns the storage. Its `close` does nothing. */
  take(): Promise<Storage>;
  /** Closes the storage, if it was ever taken. */
  close(): Promise<void>;
}

/**
 * Shares one storage between cases, on a database that is emptied before each: to connect takes Postgres longer than most
 * cases of the contract.
 *
 * @param raw runs statements on the same database, as the owner of the tables
 */
export function emptiedStorage(raw: postgres.Sql, open: () => Promise<Storage>): EmptiedStorage {
  let opened: Storage | undefined;
  return {
    async take() {
      await raw.unsafe(DELETE_ALL);
      opened ??= await open();
      return { ...opened, close: () => Promise.resolve() };
    },
    async close() {
      await opened?.close();
    },
  };
}
