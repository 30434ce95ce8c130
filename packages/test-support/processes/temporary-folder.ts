import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlace } from './data-place.ts';
import { atEndOfFile } from './end-of-file.ts';

const folders: string[] = [];

atEndOfFile(
  () => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  },
  // Servers write into their folders until they end.
  { isLast: true },
);

/**
 * Creates a folder, removed after the tests of the file.
 * @param place default: the folder for data. Programs go to the disk, `tmpdir()`.
 */
export function temporaryFolder(place: string = dataPlace()): string {
  const folder = mkdtempSync(join(place, 'countersign-test-'));
  folders.push(folder);
  return folder;
}
