import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBusy } from '../connection/sqlite-codes.ts';
import { SqliteOpenError } from '../errors.ts';
import { attempt, createPrivately, makeDirectoryOf, realFile, statOf } from './files.ts';
import { type FileLock, takeLock } from './locks.ts';

/**
 * Makes this process the only server of the database file until `release` or until the process ends. Commands and
 * backups run beside it without this lock. The lock is the file `<file>-serve.lock`.
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

/** A server's use of a database, from before it opens the file until after it has closed it. */
export interface Serving {
  /** Whether the last server was killed, lost its machine, or found the database damaged. */
  readonly isAfterUncleanEnd: boolean;
  /** Ends the use. Unless it is clean, the next server checks the database. Calling it twice is harmless. */
  end(options: { readonly clean: boolean }): void;
}

/**
 * Takes the serve lock and creates the file `<file>-serving`, which stays behind if this process is killed. Called before
 * anything opens the database, because a write-ahead log left by a kill is no sign: the next command removes it.
 * @throws SqliteOpenError as `lockForServing`
 */
export function beginServing(file: string): Serving {
  const lock = lockForServing(file);
  try {
    const mark = servingMarkOf(file);
    const isAfterUncleanEnd = statOf(mark) !== null;
    createPrivately(mark);
    attempt(file, () => flushFolder(dirname(mark)));
    return {
      isAfterUncleanEnd,
      end({ clean }) {
        try {
          if (clean) rmSync(mark, { force: true });
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Returns the path of the file that exists while the database is served, and after an unclean end. */
export function servingMarkOf(file: string): string {
  return `${realFile(file)}-serving`;
}

/** Whether the last server of the database did not end cleanly. False while a server runs. */
export function endedUncleanly(file: string): boolean {
  const hasMark = () => statOf(servingMarkOf(file)) !== null;
  return hasMark() && (whileNotServed(file, hasMark) ?? false);
}

/** Whether a server is serving the database now. */
export function isServed(file: string): boolean {
  return whileNotServed(file, () => true) === undefined;
}

/** Runs something under the serve lock. Returns undefined if a server holds it. */
function whileNotServed<T>(file: string, look: () => T): T | undefined {
  try {
    const lock = lockForServing(file);
    try {
      return look();
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof SqliteOpenError && error.code === 'already_served') return undefined;
    throw error;
  }
}

/** Flushes the names in a folder to the disk, so that a power failure does not undo them. */
function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
