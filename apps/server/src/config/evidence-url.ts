import { isAbsolute, relative, resolve } from 'node:path';
import { pathOfFileUrl } from './file-url.ts';
import { SettingError } from './setting-error.ts';

const EXPECTED = 'expected file: and a directory, such as file:/srv/countersign/evidence';

/**
 * The directory of a `file:` address, read as `DATABASE_URL` is: `file:data/x` and `file:/data/x` hold the path as it
 * stands, `file:///data/x` is an URL. Messages never quote the value.
 * @param dataDir must not lie within it: the directory holds files of verifications and nothing else
 * @returns an absolute path
 * @throws SettingError
 */
export function evidenceDirectoryOf(variable: string, url: string, dataDir: string): string {
  if (!url.startsWith('file:')) throw new SettingError(variable, `is no file: address: ${EXPECTED}`);
  const path = pathOfFileUrl(variable, url, EXPECTED);
  if (path === '') throw new SettingError(variable, `names no directory: ${EXPECTED}`);
  if (path.includes('?') || path.includes('#')) {
    throw new SettingError(variable, `has parameters, and a directory takes none: ${EXPECTED}`);
  }
  if (path.includes('\0')) throw new SettingError(variable, `has a NUL in its path: ${EXPECTED}`);
  const directory = resolve(path);
  if (isWithin(dataDir, directory)) {
    throw new SettingError(variable, `names DATA_DIR, or a directory above it: ${EXPECTED}, of its own`);
  }
  return directory;
}

/** Whether a path is the directory, or lies in it. Both are absolute. */
export function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
