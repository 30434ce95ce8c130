import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SqliteOpenError } from '../errors.ts';

/**
 * Nothing here opens a file that may be a database in use: closing it again would drop the locks that SQLite holds
 * on it in this process (POSIX, fcntl).
 */

/** Resolves links, so that all processes lock the same file. */
export function realFile(file: string): string {
  const path = resolve(file);
  return attempt(path, () => realPathOf(path) ?? path);
}

/** Returns size and kind, or null if nothing is there. @throws SqliteOpenError `unreadable` */
export function statOf(file: string): Stats | null {
  return attempt(file, () => statSync(file, { throwIfNoEntry: false }) ?? null);
}

/** Returns the identity of the file at a path, or null if there is none. Another file of the same name has another identity. */
export function identityOf(file: string): string | null {
  const stat = attempt(file, () => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/** @throws SqliteOpenError `unreadable` when this process may not write the file or what SQLite puts beside it */
export function requireAccess(file: string, { readonly }: { readonly: boolean }): void {
  attempt(file, () => {
    if (readonly) return accessSync(file, constants.R_OK);
    accessSync(file, constants.R_OK | constants.W_OK);
    accessSync(dirname(file), constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

/** Creates the directory of a file (mode 0700) if it is missing. Called first, so that an error names the file. */
export function makeDirectoryOf(file: string): void {
  attempt(file, () => makeDirectory(dirname(resolve(file))));
}

/** Creates the directory (mode 0700) and an empty file (mode 0600) if they are missing, private to this user. */
export function createPrivately(file: string): void {
  attempt(file, () => {
    makeDirectory(dirname(resolve(file)));
    if (statSync(file, { throwIfNoEntry: false }) !== undefined) return;
    try {
      // Only `wx` is safe: it creates the file, so no lock exists on it yet.
      closeSync(openSync(file, 'wx', 0o600));
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  });
}

/** Level by level: where a parent is there but takes nothing new, as /proc, Node's own recursion never returns. */
function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @throws SqliteOpenError `unreadable` when the operating system refuses the file */
export function attempt<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const message = `The database ${file} cannot be opened: ${reasonOf(error)}`;
    throw new SqliteOpenError('unreadable', message, { cause: error });
  }
}

/** Why the operating system refused a file, in words for the operator. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such place',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'a part of its path is not a directory',
  ENOSPC: 'the disk is full',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
