import type { ErasureLog } from './erasure-log.ts';
import { ErasureLogMismatch } from './identify-log.ts';
import type { RetentionRepository } from './retention-repository.ts';

/**
 * Requires that the erasure log takes the next entry. Run before an erasure begins: once it has begun, its data counts as erased.
 * @throws ErasureLogMismatch `incomplete` if the log lacks erasures of the database: their numbers would be given twice. Other
 *   faults are those of the log
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
