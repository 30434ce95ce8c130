import type { ErasureLog } from '@countersign/domain';
import { createFileErasureLog } from '@countersign/evidence';
import { type ErasureLogPlaces, misplacementOf } from '../database/erasure-log-place.ts';
import type { Findings } from '../database/findings.ts';

/** State of the erasure log. */
export interface ErasureLogFacts {
  readonly directory: string;
  /** Number of erasures. */
  readonly entries: number;
}

const PAGE = 1_000;

/** Reads every entry of the erasure log. Creates nothing. */
export async function examineErasureLog(places: ErasureLogPlaces): Promise<Findings<ErasureLogFacts>> {
  const { erasureLogDir: directory } = places;
  const misplaced = await misplacementOf(places);
  const problems = misplaced === undefined ? [] : [`ERASURE_LOG_URL ${misplaced}`];
  try {
    const entries = await countEntries(createFileErasureLog({ directory }));
    return { facts: { directory, entries }, lines: [`Erasure log ${directory}, ${entries} entries`], problems };
  } catch (error) {
    // @countersign/evidence words every error for operators.
    if (error instanceof Error) return { facts: null, lines: [], problems: [...problems, error.message] };
    throw error;
  }
}

async function countEntries(log: ErasureLog): Promise<number> {
  for (let read = 0; ; ) {
    const entries = await log.read(read, PAGE);
    if (entries.length === 0) return read;
    read += entries.length;
  }
}
