import { randomBytes } from 'node:crypto';
import { link, open, opendir, stat, unlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './disk-fault.ts';
import { makeFolders } from './make-folders.ts';

/** Number of attempts: another process may remove an empty folder before the file is in it. */
const ATTEMPTS = 20;

/** Suffix of an unfinished file. No id contains it. */
const UNFINISHED_SUFFIX = '.unfinished';

/** The place of a new file. */
export interface NewFile {
  readonly file: string;
  /** The folder of the file, the folder that holds it, and so on to the root folder of the store. Missing ones are created. */
  readonly folders: readonly [string, ...string[]];
  /** Where the file is written before it gets its name: a folder in the same file system. */
  readonly incoming: string;
}

/**
 * Writes a new file. It gets its name only when it is complete and on the disk, by a hard link, which never replaces a
 * file. So a killed process leaves no file that looks finished.
 * @returns false if the file already exists
 * @throws Error of the system
 */
export async function writeOnce(
  place: NewFile,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<boolean> {
  await makeFolders(place.incoming);
  const unfinished = join(place.incoming, `${randomBytes(16).toString('hex')}${UNFINISHED_SUFFIX}`);
  try {
    await writeSynced(unfinished, parts);
    if (!(await linkInto(unfinished, place))) return false;
  } finally {
    await unlinkIfThere(unfinished);
  }
  // The name is safe when the folders that hold it are.
  for (const folder of place.folders) await syncFolder(folder);
  return true;
}

/**
 * Writes a file to the folder where files are written before they get their names, and deletes it. Creates missing folders.
 * @throws Error of the system, such as of a disk that is full or read-only
 */
export async function tryWriting(incoming: string): Promise<void> {
  await makeFolders(incoming);
  const unfinished = join(incoming, `${randomBytes(16).toString('hex')}${UNFINISHED_SUFFIX}`);
  try {
    await writeFile(unfinished, 'x', { flag: 'wx', mode: 0o600 });
  } finally {
    await unlinkIfThere(unfinished);
  }
}

async function writeSynced(file: string, parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const part of parts) await handle.appendFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function linkInto(unfinished: string, { folders: [folder], file }: NewFile): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await makeFolders(folder);
      return await linkNew(unfinished, file);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function linkNew(unfinished: string, file: string): Promise<boolean> {
  try {
    await link(unfinished, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export async function unlinkIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Flushes the names in a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps their entries in its journal.
  if (platform() === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Age of an abandoned file: no write takes this long. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Removes unfinished files of killed processes that are at least an hour old. */
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
