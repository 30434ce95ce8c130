import { randomBytes } from 'node:crypto';
import { open, opendir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeletionHold } from '@countersign/evidence-format';
import { codeOf } from '../disk/disk-fault.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { unlinkIfThere } from '../disk/write-once.ts';

/** Folder in the evidence folder with a file for each hold. Its name cannot be a client's. */
const HOLDS = '.holds';

/** How often a living hold renews the time of its file. */
const RENEWED_EVERY_MS = 15_000;

/**
 * Age at which a hold counts as left behind by a killed process. Long, because a check of a large database blocks the
 * process that holds, and because the clocks of machines differ.
 */
const EXPIRES_AFTER_MS = 10 * 60 * 1_000;

/**
 * Holds back deletions in an evidence folder, in all processes and on all machines that share it, until `release`. The hold of
 * a killed process ends after ten minutes. A read-only folder needs no hold.
 * @throws Error of the system
 */
export async function holdDeletions(directory: string): Promise<DeletionHold> {
  const folder = join(directory, HOLDS);
  const file = join(folder, randomBytes(16).toString('hex'));
  try {
    await makeFolders(folder);
    await (await open(file, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) === 'EROFS') return { release: async () => undefined };
    throw error;
  }
  const timer = setInterval(() => {
    const now = new Date();
    // A missed renewal is made up for by the next one, long before the hold expires.
    utimes(file, now, now).catch(() => undefined);
  }, RENEWED_EVERY_MS).unref();
  return {
    async release() {
      clearInterval(timer);
      await unlinkIfThere(file);
    },
  };
}

/** Returns whether a hold is in force. Removes holds of killed processes. */
export async function areDeletionsHeld(directory: string): Promise<boolean> {
  const folder = join(directory, HOLDS);
  const before = Date.now() - EXPIRES_AFTER_MS;
  try {
    for await (const { name } of await opendir(folder)) {
      const file = join(folder, name);
      if ((await modifiedAt(file)) >= before) return true;
      await unlinkIfThere(file);
    }
    return false;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Returns 0 for a file that was removed meanwhile. */
async function modifiedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}
