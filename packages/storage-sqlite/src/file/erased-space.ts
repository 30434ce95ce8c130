import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { compile, parameter } from '../connection/compiled.ts';
import type { Connection } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { isBusy } from '../connection/sqlite-codes.ts';
import { sql } from '../drizzle.ts';
import { unclearedErasures } from '../retention-tables.ts';
import { parseDateOrNull } from '../rows/parse-row.ts';
import { quickCheckApart } from './integrity.ts';
import { type FileLock, takeLock } from './locks.ts';
import type { ClearedSpace, ErasedSpace, MissingSpace } from './reports.ts';
import { rewriteFile } from './rewrite-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Up to this size, VACUUM took 0.1 to 0.45 s (docs/decisions/0008-sqlite.md). Its temporary copy is kept in memory. */
const SMALL_BYTES = 16_000_000;

/**
 * @param options.requireSameFile throws if the path leads to another file than the session's: VACUUM opens the file by its path
 * @param options.temporaryFolders what `SQLITE_TMPDIR` and `TMPDIR` name
 */
export function createErasedSpace(
  session: Session,
  {
    requireSameFile,
    temporaryFolders,
  }: { readonly requireSameFile: () => void; readonly temporaryFolders: readonly string[] },
): ErasedSpace {
  const { connection, read, readApart, write, pauseWhile } = session;
  const file = connection.name;
  const found = compile(connection, sql`select count(*), min(${unclearedErasures.at}) from ${unclearedErasures}`);
  const numbers = compile(connection, sql`select ${unclearedErasures.number} from ${unclearedErasures}`);
  const remove = compile(
    connection,
    sql`delete from ${unclearedErasures}
      where ${unclearedErasures.number} in (select value from json_each(${parameter('numbers')}))`,
  );

  async function rewrite(inMemory: boolean): Promise<'cleared' | 'busy'> {
    requireSameFile();
    const checked = await readApart(() => quickCheckApart(file, { endsWithProcess: false }));
    if (checked !== 'ok') session.stopWrites(new Error(checked[0]));
    session.requireSound();
    requireSameFile();
    return readApart(() => rewriteFile(file, { inMemory }));
  }

  async function clear(): Promise<ClearedSpace> {
    // Read before: an erasure that commits later needs the next run.
    const uncleared = await read(() => numbers.all().map(([number]) => Number(number)));
    if (uncleared.length === 0) return { outcome: 'nothing_to_clear' };
    const inMemory = await read(() => isSmall(connection));
    const missing = missingSpace(file, { inMemory, temporaryFolders });
    if (missing !== undefined) return { outcome: 'no_space', ...missing };
    session.requireSound();
    const startedAt = performance.now();
    const outcome = await pauseWhile(() => rewrite(inMemory));
    if (outcome === 'busy') return { outcome };
    await write(() => {
      remove.run({ numbers: JSON.stringify(uncleared) });
      return { keep: true, value: undefined };
    });
    return { outcome, erasures: uncleared.length, durationMs: performance.now() - startedAt };
  }

  return {
    find: () =>
      read(() => {
        const [erasures, since] = found.get() as [number, number | null];
        return { erasures, since: parseDateOrNull('at', since), isSmall: isSmall(connection) };
      }),
    async clear() {
      const lock = takeFree(`${file}-clear.lock`);
      if (lock === undefined) return { outcome: 'busy' };
      try {
        return await clear();
      } finally {
        lock.release();
      }
    },
  };
}

/** Without the write-ahead log, which keeps its size when its pages have been moved into the database. */
function isSmall(connection: Connection): boolean {
  const pages = Number(connection.pragma('page_count', { simple: true }));
  return pages * Number(connection.pragma('page_size', { simple: true })) <= SMALL_BYTES;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Takes a lock; undefined while another process holds it. */
function takeFree(file: string): FileLock | undefined {
  try {
    return takeLock(file);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Room for what other processes write meanwhile. */
const MARGIN_BYTES = 8_000_000;

/**
 * Checks the free space: VACUUM makes a temporary copy of the file, and writes it into the write-ahead log.
 * @param freeOf reads the free space of a folder's disk
 * @returns the folder whose disk has too little, if any
 */
export function missingSpace(
  file: string,
  { inMemory, temporaryFolders }: { readonly inMemory: boolean; readonly temporaryFolders: readonly string[] },
  freeOf: (folder: string) => { readonly disk: number; readonly freeBytes: number } = freeSpaceOf,
): MissingSpace | undefined {
  const copyBytes = sizeOf(file) + sizeOf(`${file}-wal`) + MARGIN_BYTES;
  const folders = inMemory ? [dirname(file)] : [dirname(file), temporaryFolder(temporaryFolders)];
  const needed = new Map<number, MissingSpace>();
  for (const folder of folders) {
    const { disk, freeBytes } = freeOf(folder);
    const neededBytes = (needed.get(disk)?.neededBytes ?? 0) + copyBytes;
    needed.set(disk, { folder, neededBytes, freeBytes });
  }
  return [...needed.values()].find(({ neededBytes, freeBytes }) => freeBytes < neededBytes);
}

function freeSpaceOf(folder: string): { disk: number; freeBytes: number } {
  const { bavail, bsize } = statfsSync(folder);
  return { disk: statSync(folder).dev, freeBytes: bavail * bsize };
}
