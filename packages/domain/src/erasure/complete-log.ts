import type { ErasureLog, ErasureLogEntry } from './erasure-log.ts';
import type { RetentionRepository } from './retention-repository.ts';

/** Receipts that are read at once. */
const BATCH = 1_000;

/**
 * Writes the erasures of the database that the erasure log lacks, such as after its newest entries were lost. Servers may run
 * meanwhile. Run it again if it was interrupted.
 *
 * Rejects if the last entry of the log names another erasure than the database: it is the log of another database.
 * @returns how many entries were written
 */
export async function completeErasureLog(
  retention: Pick<RetentionRepository, 'erasure' | 'erasures'>,
  log: ErasureLog,
): Promise<number> {
  let after = await log.head();
  const last = await retention.erasure(after);
  if (last !== null) await log.put(entryOf(last));
  for (let written = 0; ; ) {
    const receipts = await retention.erasures({ after, limit: BATCH });
    for (const receipt of receipts) await log.put(entryOf(receipt));
    written += receipts.length;
    after = receipts.at(-1)?.number ?? after;
    if (receipts.length < BATCH) return written;
  }
}

function entryOf({ number, clientId, verificationId, at }: ErasureLogEntry): ErasureLogEntry {
  return { number, clientId, verificationId, at };
}
