import { dirname, join } from 'node:path';
import type { NewFile } from '../disk/write-once.ts';

/** Returns the folder in which files are written before they get their names. No client has such a name. */
export function incomingOf(directory: string): string {
  return join(directory, '.incoming');
}

/** Returns the folder of a verification, that of its client, and the evidence folder. */
export function foldersOf(directory: string, folder: string): NewFile['folders'] {
  return [folder, dirname(folder), directory];
}
