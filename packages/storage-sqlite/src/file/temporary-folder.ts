import { accessSync, constants, statSync } from 'node:fs';

/** The folders that SQLite tries after those of the environment, in its order (https://www.sqlite.org/tempfiles.html). */
const FOLDERS = ['/var/tmp', '/usr/tmp', '/tmp', '.'] as const;

/**
 * Returns the folder in which SQLite creates temporary files: the first one that this process may write to. Without any, SQLite fails
 * in the current folder.
 * @param named what `SQLITE_TMPDIR` and `TMPDIR` name, in this order; empty texts name no folder
 */
export function temporaryFolder(
  named: readonly string[],
  isUsable: (folder: string) => boolean = isWritableFolder,
): string {
  return [...named.filter((folder) => folder !== ''), ...FOLDERS].find(isUsable) ?? '.';
}

function isWritableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
