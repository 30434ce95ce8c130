import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isSystemError, SettingError } from './errors.ts';

/**
 * Makes the data directory where it is missing, for its owner alone (mode 0700).
 * @throws SettingError when it cannot be made or written to
 */
export function ensureDataDirectory(directory: string): void {
  try {
    makeDirectory(resolve(directory));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const place = JSON.stringify(directory);
    throw new SettingError(
      'DATA_DIR',
      `is ${place}: ${reasonOf(error)}, expected a directory that this process may write to`,
      { cause: error },
    );
  }
}

/** Level by level: where a parent is there but takes nothing new, as /proc, Node's own recursion never returns. */
function makeDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function reasonOf({ code }: { code: string }): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file is in its place';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EROFS':
      return 'the file system is read-only';
    case 'ENOENT':
      return 'it cannot be made there';
    default:
      return code;
  }
}
