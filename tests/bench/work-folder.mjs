import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** On the checkout's disk: a temporary folder may be in memory, where commits cost nothing. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** Creates a folder for this run and deletes it on exit. */
export function workFolder() {
  const folder = join(CACHE, `countersign-bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
