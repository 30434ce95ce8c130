import { SqliteOpenError } from '../errors.ts';
import { realFile, statOf } from './files.ts';

/**
 * Files that SQLite keeps beside a database. They belong to it: a write-ahead log beside another database of the same
 * name would be written into that one.
 */
export const COMPANIONS: readonly string[] = ['-wal', '-shm', '-journal'];

/**
 * Returns the path of the file that marks an unfinished restore. While it exists, the database is not opened: it may be
 * missing, or half of it may be moved away.
 */
export function restoreMarkOf(file: string): string {
  return `${realFile(file)}-restore`;
}

/** @throws SqliteOpenError `unfinished_restore` */
export function requireFinishedRestore(file: string): void {
  if (statOf(restoreMarkOf(file)) === null) return;
  throw new SqliteOpenError(
    'unfinished_restore',
    `A restore into ${file} was interrupted: run \`countersign restore\` again`,
  );
}
