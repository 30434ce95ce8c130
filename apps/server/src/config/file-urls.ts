import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingError } from './errors.ts';

const EXPECTED_FILE =
  'expected file: and a path, such as file:data/countersign.db, or postgres://user:password@host:5432/database';

/** Whether the address names a PostgreSQL server, well or badly. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:/i.test(url);
}

/**
 * The file of a `file:` address. `file:data/x.db` and `file:/data/x.db` hold the path as it stands; `file:///data/x.db`
 * is an URL. Messages never quote the value, which may hold a password.
 * @returns an absolute path
 * @throws SettingError
 */
export function databaseFileOf(variable: string, url: string): string {
  if (!url.startsWith('file:')) {
    throw new SettingError(variable, `is neither a file: nor a postgres: address: ${EXPECTED_FILE}`);
  }

  const path = pathOfFileUrl(variable, url, EXPECTED_FILE);
  if (path === '' || path.endsWith('/')) throw new SettingError(variable, `names no file: ${EXPECTED_FILE}`);
  if (path.includes('?') || path.includes('#')) {
    throw new SettingError(variable, `has parameters, and a file takes none: ${EXPECTED_FILE}`);
  }
  if (path.includes('\0')) throw new SettingError(variable, `has a NUL in its path: ${EXPECTED_FILE}`);
  if (path.includes(':memory:')) {
    throw new SettingError(variable, `names a database in memory, which would lose everything: ${EXPECTED_FILE}`);
  }
  return resolve(path);
}

const EXPECTED_DIRECTORY = 'expected file: and a directory, such as file:/srv/countersign/evidence';

/**
 * The directory of a `file:` address, read as `DATABASE_URL` is: `file:data/x` and `file:/data/x` hold the path as it
 * stands, `file:///data/x` is an URL. Messages never quote the value.
 * @param dataDir must not lie within it: the directory holds files of verifications and nothing else
 * @returns an absolute path
 * @throws SettingError
 */
export function evidenceDirectoryOf(variable: string, url: string, dataDir: string): string {
  if (!url.startsWith('file:')) throw new SettingError(variable, `is no file: address: ${EXPECTED_DIRECTORY}`);
  const path = pathOfFileUrl(variable, url, EXPECTED_DIRECTORY);
  if (path === '') throw new SettingError(variable, `names no directory: ${EXPECTED_DIRECTORY}`);
  if (path.includes('?') || path.includes('#')) {
    throw new SettingError(variable, `has parameters, and a directory takes none: ${EXPECTED_DIRECTORY}`);
  }
  if (path.includes('\0')) throw new SettingError(variable, `has a NUL in its path: ${EXPECTED_DIRECTORY}`);
  const directory = resolve(path);
  if (isWithin(dataDir, directory)) {
    throw new SettingError(variable, `names DATA_DIR, or a directory above it: ${EXPECTED_DIRECTORY}, of its own`);
  }
  return directory;
}

/** Whether a path is the directory, or lies in it. Both are absolute. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}

/**
 * The path of a `file:` address: `file:data/x` and `file:/data/x` hold it as it stands, `file:///data/x` is an URL. What
 * looks like parameters stays in it. Messages name the variable and what was expected, and never quote the value.
 * @throws SettingError
 */
export function pathOfFileUrl(variable: string, url: string, expected: string): string {
  if (!url.startsWith('file://')) return url.slice('file:'.length);
  try {
    const { search, hash } = new URL(url);
    return `${fileURLToPath(url)}${search}${hash}`;
  } catch (error) {
    throw new SettingError(variable, `is no valid file: address of this machine: ${expected}`, { cause: error });
  }
}
