import type { ErasureLog } from './erasure-log.ts';
import { ErasureLogMismatch } from './identify-log.ts';
import type { RetentionRepository } from './retention-repository.ts';

/** Counts the erasures of the database that its erasure log lacks: all of them if the log is lost. Reads no entry. */
export async function countMissingInLog(
  retention: Pick<RetentionRepository, 'lastErasure'>,
  log: Pick<ErasureLog, 'head'>,
): Promise<number> {
  // Read before the log, whose entry is written first: an erasure under way is not missing.
  const lastErasure = await retention.lastErasure();
  return Math.max(0, lastErasure - (await headOf(log)));
}

async function headOf(log: Pick<ErasureLog, 'head'>): Promise<number> {
  try {
    return await log.head();
  } catch (error) {
    if (error instanceof ErasureLogMismatch && error.problem === 'missing') return 0;
    throw error;
  }
}
