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

/**
 * Returns the absolute path of a folder with files of one kind.
 * @param apartFrom other folders by their variables. None of them may lie in this folder, which holds nothing else.
 * @throws SettingError
 */
export function directoryOf(
  variable: string,
  url: string,
  { example, apartFrom }: { readonly example: string; readonly apartFrom: Readonly<Record<string, string>> },
): string {
  const expected = `expected file: and a directory, such as ${example}`;
  if (!url.startsWith('file:')) throw new SettingError(variable, `is not a file: URL: ${expected}`);
  const path = pathOf(variable, url, expected);
  if (path === '') throw new SettingError(variable, `has no directory: ${expected}`);
  const directory = resolve(path);
  for (const [other, folder] of Object.entries(apartFrom)) {
    if (isWithin(folder, directory)) {
      throw new SettingError(variable, `contains ${other}: ${expected}, outside or below ${other}`);
    }
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
