import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty directory. @param afterwards registers its removal: vitest's `onTestFinished` or `afterAll` */
export function temporaryDirectory(afterwards: (remove: () => void) => void): string {
  const path = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  afterwards(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
