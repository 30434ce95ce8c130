import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingError } from './errors.ts';

// `file:data/x` and `file:/data/x` hold a path as it is; `file:///data/x` is a URL, whose %20 is a space. Errors never
// quote the value, which may hold a password.

const EXPECTED_DATABASE =
  'expected file: and a path, such as file:data/countersign.db, or postgres://user:password@host:5432/database';

/**
 * Returns the absolute path of a database file.
 * @throws SettingError
 */
export function databaseFileOf(variable: string, url: string): string {
  if (!url.startsWith('file:')) {
    throw new SettingError(variable, `is neither a file: nor a postgres: URL: ${EXPECTED_DATABASE}`);
  }
  const path = pathOf(variable, url, EXPECTED_DATABASE);
  if (path === '' || path.endsWith('/'))
    throw new SettingError(variable, `has no file name: ${EXPECTED_DATABASE}`);
  if (path.includes(':memory:')) {
    throw new SettingError(variable, `is a database in memory, which loses its data: ${EXPECTED_DATABASE}`);
  }
  return resolve(path);
}

const EXPECTED_DIRECTORY = 'expected file: and a directory, such as file:/srv/countersign/evidence';

/**
 * Returns the absolute path of the evidence folder.
 * @param dataDir must not lie in the folder, which holds files of verifications and nothing else
 * @throws SettingError
 */
export function evidenceDirectoryOf(variable: string, url: string, dataDir: string): string {
  if (!url.startsWith('file:')) throw new SettingError(variable, `is not a file: URL: ${EXPECTED_DIRECTORY}`);
  const path = pathOf(variable, url, EXPECTED_DIRECTORY);
  if (path === '') throw new SettingError(variable, `has no directory: ${EXPECTED_DIRECTORY}`);
  const directory = resolve(path);
  if (isWithin(dataDir, directory)) {
    throw new SettingError(variable, `contains DATA_DIR: ${EXPECTED_DIRECTORY}, outside or below DATA_DIR`);
  }
  return directory;
}

/** Returns whether an absolute path is the directory or lies in it. */
export function isWithin(path: string, directory: string): boolean {
  const steps = relative(directory, path);
  return steps !== '..' && !steps.startsWith('../') && !isAbsolute(steps);
}

function pathOf(variable: string, url: string, expected: string): string {
  const path = decodedPath(variable, url, expected);
  if (path.includes('?') || path.includes('#')) {
    throw new SettingError(variable, `has parameters, but a file: URL takes none: ${expected}`);
  }
  if (path.includes('\0')) throw new SettingError(variable, `has a NUL in its path: ${expected}`);
  return path;
}

function decodedPath(variable: string, url: string, expected: string): string {
  if (!url.startsWith('file://')) return url.slice('file:'.length);
  try {
    const { search, hash } = new URL(url);
    return `${fileURLToPath(url)}${search}${hash}`;
  } catch (error) {
    throw new SettingError(variable, `is not a valid file: URL of this machine: ${expected}`, { cause: error });
  }
}
