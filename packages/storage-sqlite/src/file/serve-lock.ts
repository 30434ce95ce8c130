import { isBusy } from '../connection/connection.ts';
import { SqliteOpenError } from '../errors.ts';
import { type FileLock, takeLock } from './file-lock.ts';
import { makeDirectoryOf, realFile } from './files.ts';

/**
 * Makes this process the only server of the database file until `release`, or until it ends, even by kill -9. The
 * command line and backups need no such lock and work beside it. Lies in `<file>-serve.lock`.
 * @throws SqliteOpenError `already_served`, `unreadable`, `node_too_old`
 */
export function lockForServing(file: string): FileLock {
  const path = realFile(file);
  makeDirectoryOf(path);
  try {
    return takeLock(`${path}-serve.lock`);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new SqliteOpenError('already_served', `Another server is already serving the database ${path}`);
  }
}
