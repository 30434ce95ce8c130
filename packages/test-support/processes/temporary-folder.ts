import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfFile } from './end-of-file.ts';

const folders: string[] = [];

atEndOfFile(
  () => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  },
  // Servers write into their folders until they end.
  { isLast: true },
);

/** Creates a folder, removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  folders.push(folder);
  return folder;
}
