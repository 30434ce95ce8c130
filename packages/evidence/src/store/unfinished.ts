import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../disk-fault.ts';
import { UNFINISHED_SUFFIX, unlinkIfThere } from './write-once.ts';

/** No write of a file takes this long. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Removes what processes that were killed left half written, an hour ago or more. */
export async function removeUnfinished(incoming: string): Promise<void> {
  const before = Date.now() - ABANDONED_AFTER_MS;
  try {
    for await (const { name } of await opendir(incoming)) {
      if (!name.endsWith(UNFINISHED_SUFFIX)) continue;
      const file = join(incoming, name);
      if ((await stat(file)).mtimeMs < before) await unlinkIfThere(file);
    }
  } catch (error) {
    // Finished, or removed by another process; the rest is removed the next time.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
