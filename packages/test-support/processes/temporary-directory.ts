import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlace } from './data-place.ts';

/** Creates an empty directory for data. @param afterwards registers its removal: vitest's `onTestFinished` or `afterAll` */
export function temporaryDirectory(afterwards: (remove: () => void) => void): string {
  const path = mkdtempSync(join(dataPlace(), 'countersign-test-'));
  afterwards(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
