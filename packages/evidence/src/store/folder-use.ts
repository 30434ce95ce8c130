import { randomBytes } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../disk/disk-fault.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { unlinkIfThere } from '../disk/write-once.ts';

// Each process that uses an evidence folder keeps a file there and renews its time. A process writes its own file before it
// looks for those of others, so of two that start at once, at least one sees the other. Whether a process lives is seen by
// watching its file, not by its age: the clocks of machines differ.

/** `serve`: any number of servers. `replace`: one process alone. */
export type FolderUse = 'serve' | 'replace';

/** A use of an evidence folder that has begun. */
export interface BegunUse {
  /** Ends the use. Calling it twice is harmless. */
  end(): Promise<void>;
}

/** What uses a folder of evidence, and how its use is kept alive. */
export interface FolderUseOptions {
  readonly use: FolderUse;
  /** Receives the first fault of each time in which the use cannot be renewed. */
  onFault(fault: unknown): void;
  readonly timing?: { readonly renewedEveryMs: number; readonly deadAfterMs: number };
}

/** Folder in the evidence folder with a file for each use. Its name cannot be a client's. */
const USES = '.in-use';

/** A use that is not renewed for so long has ended: its process was killed. */
const TIMING = { renewedEveryMs: 2_000, deadAfterMs: 20_000 };

/**
 * Begins to use an evidence folder that processes on several machines may share. After a process was killed that stands in the
 * way, this waits until it is certain that it does not renew its file.
 * @returns null if another process uses the folder and both cannot
 * @throws Error of the system if the files are to be replaced and the folder cannot be written
 */
export async function beginUse(
  directory: string,
  { use, onFault, timing = TIMING }: FolderUseOptions,
): Promise<BegunUse | null> {
  const folder = join(directory, USES);
  const name = `${use}-${randomBytes(16).toString('hex')}`;
  const file = join(folder, name);
  let isReported = false;
  const report = (error: unknown): void => {
    if (!isReported && codeOf(error) !== 'EROFS') onFault(error);
    isReported = true;
  };
  const write = async (): Promise<void> => {
    await makeFolders(folder);
    await touch(file);
    isReported = false;
  };
  await write().catch((error: unknown) => {
    // Servers serve without files too, and no process can replace the files of a read-only folder.
    if (use === 'replace') throw error;
    report(error);
  });
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(write).catch(report);
  }, timing.renewedEveryMs).unref();
  const end = async (): Promise<void> => {
    clearInterval(timer);
    await renewing;
    await unlinkIfThere(file);
  };
  try {
    const others = (await namesIn(folder)).filter((other) => other !== name && isInTheWay(other, use));
    for (const isAlive of await Promise.all(others.map((other) => isRenewed(join(folder, other), timing)))) {
      if (!isAlive) continue;
      await end();
      return null;
    }
    return { end };
  } catch (error) {
    await end();
    throw error;
  }
}

function isInTheWay(other: string, use: FolderUse): boolean {
  return use === 'replace' || other.startsWith('replace-');
}

/** Watches the file of a use until it is renewed or removed, or removes it after `deadAfterMs`. */
async function isRenewed(
  file: string,
  { renewedEveryMs, deadAfterMs }: NonNullable<FolderUseOptions['timing']>,
): Promise<boolean> {
  const first = await timeOf(file);
  const everyMs = Math.min(renewedEveryMs, deadAfterMs) / 4;
  for (let waitedMs = 0; waitedMs < deadAfterMs; waitedMs += everyMs) {
    const now = await timeOf(file);
    if (now === null) return false;
    if (now !== first) return true;
    await wait(everyMs);
  }
  await unlinkIfThere(file);
  return false;
}

/** Sets the time of a file, and creates it if it is missing. */
async function touch(file: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    const now = new Date();
    await handle.utimes(now, now);
  } finally {
    await handle.close();
  }
}

/** Returns null if there is no such file. Opening it asks a file server for its present time. */
async function timeOf(file: string): Promise<number | null> {
  try {
    const handle = await open(file, 'r');
    try {
      return (await handle.stat()).mtimeMs;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return [];
    throw error;
  }
}
