import type { ErasureLog } from '@countersign/domain';
import { createFileErasureLog } from '@countersign/evidence';
import type { Database } from '../database/database.ts';
import { type ErasureLogPlaces, misplacementOf } from '../database/erasure-log-place.ts';
import type { Findings } from '../database/findings.ts';

/** State of the erasure log. */
export interface ErasureLogFacts {
  readonly directory: string;
  /** Number of erasures. */
  readonly entries: number;
}

const PAGE = 1_000;

/**
 * Reads every entry of the erasure log, and compares its end with the receipts of the database. Creates nothing.
 * @param database undefined when it has a problem: then only the log is read
 */
export async function examineErasureLog(
  places: ErasureLogPlaces,
  database: Pick<Database, 'openToRead'> | undefined,
): Promise<Findings<ErasureLogFacts>> {
  const { erasureLogDir: directory } = places;
  const misplaced = await misplacementOf(places);
  const problems = misplaced === undefined ? [] : [`ERASURE_LOG_URL ${misplaced}`];
  try {
    const entries = await countEntries(createFileErasureLog({ directory }));
    const last = database === undefined ? 0 : await lastErasureIn(database);
    if (last > entries) {
      problems.push(
        `The database has erasure ${last}, but the erasure log ${directory} ends with ${entries}: put its newest copy in its place`,
      );
    }
    return { facts: { directory, entries }, lines: [`Erasure log ${directory}, ${entries} entries`], problems };
  } catch (error) {
    // Storages and @countersign/evidence word every error for operators.
    if (error instanceof Error) return { facts: null, lines: [], problems: [...problems, error.message] };
    throw error;
  }
}

async function lastErasureIn(database: Pick<Database, 'openToRead'>): Promise<number> {
  const storage = await database.openToRead();
  try {
    return await storage.retention.lastErasure();
  } finally {
    await storage.close();
  }
}

async function countEntries(log: ErasureLog): Promise<number> {
  for (let read = 0; ; ) {
    const entries = await log.read(read, PAGE);
    if (entries.length === 0) return read;
    read += entries.length;
  }
}
