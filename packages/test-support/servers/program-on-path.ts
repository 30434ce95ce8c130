import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds the full path of a program, also in /usr/sbin, where Debian keeps servers and which may not be on the PATH. */
export function programOnPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
