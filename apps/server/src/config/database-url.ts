import { resolve } from 'node:path';
import { pathOfFileUrl } from './file-url.ts';
import { SettingError } from './setting-error.ts';

const EXPECTED =
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
    throw new SettingError(variable, `is neither a file: nor a postgres: address: ${EXPECTED}`);
  }

  const path = pathOfFileUrl(variable, url, EXPECTED);
  if (path === '' || path.endsWith('/')) throw new SettingError(variable, `names no file: ${EXPECTED}`);
  if (path.includes('?') || path.includes('#')) {
    throw new SettingError(variable, `has parameters, and a file takes none: ${EXPECTED}`);
  }
  if (path.includes('\0')) throw new SettingError(variable, `has a NUL in its path: ${EXPECTED}`);
  if (path.includes(':memory:')) {
    throw new SettingError(variable, `names a database in memory, which would lose everything: ${EXPECTED}`);
  }
  return resolve(path);
}
