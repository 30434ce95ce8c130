import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ErasureLog, ErasureLogEntry } from '@countersign/domain/retention';
import { codeOf, diskFault } from '../disk/disk-fault.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { removeUnfinished, syncFolder, tryWriting, writeOnce } from '../disk/write-once.ts';
import { contentOf, isShard, numberOf, pathOf, readEntry, shardOf } from './entry-file.ts';
import { ErasureLogFault } from './erasure-log-fault.ts';
import { MARKER, markerOf, readMarker } from './marker-file.ts';

/** Options of `createFileErasureLog`. */
export interface FileErasureLogOptions {
  /** Root folder, with a folder for each thousand entries. Created with the id of the log or the first entry. */
  readonly directory: string;
}

/**
 * Writes erasures to a folder, which several processes may share: a small file for each entry, and one with the id of the log. Requires a file system with hard
 * links, which never replace a file: of processes that write one number at once, the first gets it, and the others the next ones.
 *
 * `read` rejects with an `ErasureLogFault` if an entry is missing, damaged or a copy of another one. Errors contain the system's
 * code and no path outside the log. Each call lists the names of at most a few thousand entries, however many there are.
 */
export function createFileErasureLog({ directory }: FileErasureLogOptions): ErasureLog {
  const incoming = join(directory, '.incoming');
  let previous: Promise<unknown> = Promise.resolve();

  async function prepare(): Promise<void> {
    if (await makeFolders(directory)) await syncFolder(dirname(directory));
    await removeUnfinished(incoming);
  }

  /** @returns whether it was written; false if the number has an entry */
  async function writeEntry(entry: ErasureLogEntry): Promise<boolean> {
    const { number } = entry;
    const shard = join(directory, shardOf(number));
    const place = { file: join(directory, pathOf(number)), folders: [shard, directory] as const, incoming };
    // A process that was killed may not have flushed the name of the entry before, which can be in another folder.
    const before = join(directory, shardOf(Math.max(number - 1, 1)));
    if (before !== shard) await syncFolder(before);
    return writeOnce(place, [contentOf(entry)]);
  }

  async function write(entry: Omit<ErasureLogEntry, 'number'>): Promise<ErasureLogEntry> {
    await prepare();
    for (let number = (await highestIn(directory)) + 1; ; number += 1) {
      const { clientId, verificationId, at } = entry;
      const numbered = { number, clientId, verificationId, at: new Date(at) };
      if (await writeEntry(numbered)) return numbered;
    }
  }

  async function writeAgain(entry: ErasureLogEntry): Promise<void> {
    await prepare();
    const { number } = entry;
    if (number > (await highestIn(directory)) + 1) throw new ErasureLogFault('ENTRY_MISSING', pathOf(number - 1));
    if (await writeEntry(entry)) return;
    const found = await readEntry(directory, number);
    if (Buffer.compare(contentOf(found), contentOf(entry)) !== 0) {
      throw new ErasureLogFault('ENTRY_OTHER', pathOf(number));
    }
  }

  /** One after the other: calls at once would write one number, and all but one of them would write again. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const written = previous.then(() => inDiskWords('write an entry of the erasure log', work()));
    previous = written.catch(() => undefined);
    return written;
  }

  async function writeMarker(id: string): Promise<string> {
    await prepare();
    await writeOnce({ file: join(directory, MARKER), folders: [directory], incoming }, [markerOf(id)]);
    const written = await readMarker(directory);
    if (written === null) throw new ErasureLogFault('ENTRY_MISSING', MARKER);
    return written;
  }

  return {
    async id() {
      return inDiskWords('read the erasure log', readMarker(directory));
    },

    identify: (id) => inTurn(() => writeMarker(id)),

    append: (entry) => inTurn(() => write(entry)),

    put: (entry) => inTurn(() => writeAgain(entry)),

    async read(after, limit) {
      return inDiskWords('read the erasure log', readEntries(directory, after, limit));
    },

    async head() {
      return inDiskWords('read the erasure log', highestIn(directory));
    },

    probe: () => inTurn(() => tryWriting(incoming)),
  };
}

/** Each file is a few round trips, of a network file system too. */
const FILES_AT_ONCE = 16;

async function readEntries(directory: string, after: number, limit: number): Promise<ErasureLogEntry[]> {
  const last = Math.min(await highestIn(directory), after + limit);
  const entries: ErasureLogEntry[] = [];
  while (after + entries.length < last) {
    const first = after + entries.length + 1;
    const numbers = Array.from({ length: Math.min(FILES_AT_ONCE, last - first + 1) }, (_, index) => first + index);
    // All are awaited, so that of several bad entries the first is named.
    for (const read of await Promise.allSettled(numbers.map((number) => readEntry(directory, number)))) {
      if (read.status === 'rejected') throw read.reason;
      entries.push(read.value);
    }
  }
  return entries;
}

/** Returns the highest number; 0 without entries. Looks into the last shard, or before it if a killed process left that empty. */
async function highestIn(directory: string): Promise<number> {
  const shards = (await namesIn(directory)).filter(isShard).sort((one, other) => Number(other) - Number(one));
  for (const shard of shards) {
    let highest = 0;
    for (const name of await namesIn(join(directory, shard))) {
      highest = Math.max(highest, numberOf(shard, name) ?? 0);
    }
    if (highest > 0) return highest;
  }
  return 0;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function inDiskWords<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ErasureLogFault || codeOf(error) === undefined ? error : diskFault(doing, error);
  }
}
