import { accessSync, constants, mkdirSync } from 'node:fs';
import { SettingError } from './setting-error.ts';
import { isSystemError } from './system-error.ts';

/**
 * Makes the data directory where it is missing, for its owner alone (mode 0700).
 * @throws SettingError when it cannot be made or written to
 */
export function ensureDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
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
    default:
      return code;
  }
}
