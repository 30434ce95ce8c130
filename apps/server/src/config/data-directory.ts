import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isSystemError, SettingError, WRITE_PROBLEMS } from './errors.ts';

/**
 * Creates the data directory if it is missing, with access for its owner only (mode 0700).
 * @throws SettingError when it cannot be created or is not writable
 */
export function ensureDataDirectory(directory: string): void {
  try {
    createDirectory(resolve(directory));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const place = JSON.stringify(directory);
    throw new SettingError('DATA_DIR', `is ${place}: ${reasonOf(error)}, expected a writable directory`, {
      cause: error,
    });
  }
}

/**
 * Creates a directory and those above it, with access for their owner only (mode 0700), one level after the other: the
 * recursion of Node's `mkdirSync` never returns below /proc.
 */
export function createDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  createDirectory(dirname(directory));
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function reasonOf({ code }: { code: string }): string {
  return code === 'ENOENT' ? 'it cannot be created there' : (WRITE_PROBLEMS[code] ?? code);
}
