import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** On the disk of the checkout: a temporary folder may lie in memory, where commits cost nothing. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** A folder of this benchmark's own, which goes with it. */
export function workFolder() {
  const folder = join(CACHE, `countersign-bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
