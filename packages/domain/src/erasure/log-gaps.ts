import type { ErasureLog, ErasureLogEntry } from './erasure.ts';
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

/**
 * Requires that the erasure log can take the next entry. Call it before an erasure begins, because from then on the data counts
 * as erased.
 * @throws ErasureLogMismatch `incomplete` if the log lacks erasures of the database, whose numbers it would assign again. Faults
 *   of the log are thrown unchanged
 */
export type CheckErasureLog = () => Promise<void>;

/** Creates the check `CheckErasureLog`. Without a `log`, it always passes. */
export function createCheckErasureLog({
  retention,
  log,
}: {
  retention: Pick<RetentionRepository, 'lastErasure'>;
  log: ErasureLog | undefined;
}): CheckErasureLog {
  return async () => {
    if (log === undefined) return;
    // Read before the log, whose entry is written first: an erasure under way is not missing.
    const lastErasure = await retention.lastErasure();
    if ((await log.head()) < lastErasure) {
      throw new ErasureLogMismatch('incomplete');
    }
    await log.probe();
  };
}

/** Receipts that are read together. */
const BATCH = 1_000;

/**
 * Writes the erasures of the database that the erasure log lacks, such as after its newest entries were lost. Servers may run
 * meanwhile. Run it again if it was interrupted.
 *
 * A number has no receipt if a process crashed between entry and removal; the erasure then got a later number. Such a number is
 * filled with the verification of the next receipt: two entries for one verification are allowed.
 *
 * A log without an id, such as an empty folder that replaces a lost one, gets the id stored in the database. The id is written
 * last, so that no server uses an incomplete log.
 *
 * @returns how many entries were written
 * @throws ErasureLogMismatch `other_log` if the log has another id. A log whose last entry names another erasure than the database
 *   refuses that entry with an error of its own
 */
export async function completeErasureLog(
  retention: Pick<RetentionRepository, 'erasure' | 'erasures' | 'erasureLogId'>,
  log: ErasureLog,
): Promise<number> {
  const known = await retention.erasureLogId();
  const id = await log.id();
  if (known !== null && id !== null && id !== known) throw new ErasureLogMismatch('other_log');
  let after = await log.head();
  const last = await retention.erasure(after);
  if (last !== null) await log.put(entryOf(last));
  let written = 0;
  for (;;) {
    const receipts = await retention.erasures({ after, limit: BATCH });
    for (const receipt of receipts) {
      for (let number = after + 1; number <= receipt.number; number += 1) {
        await log.put({ ...entryOf(receipt), number });
        written += 1;
      }
      after = receipt.number;
    }
    if (receipts.length < BATCH) break;
  }
  if (known !== null && (await log.identify(known)) !== known) throw new ErasureLogMismatch('other_log');
  return written;
}

function entryOf({ number, clientId, verificationId, at }: ErasureLogEntry): ErasureLogEntry {
  return { number, clientId, verificationId, at };
}
