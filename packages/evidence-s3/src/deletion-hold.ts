import { randomBytes } from 'node:crypto';
import type { DeletionHold } from '@countersign/evidence-format';
import type { Bucket } from './bucket.ts';

/** Where each hold has an object. Its name cannot be a client's. */
const HOLDS = '.holds/';

/** How often a living hold renews the time of its object. */
const RENEWED_EVERY_MS = 15_000;

/** Age at which a hold counts as left behind by a killed process, by the object storage's clock alone. */
const EXPIRES_AFTER_MS = 10 * 60 * 1_000;

/** Holds back deletions below the prefix, by all processes, until `release`. The hold of a killed process ends after ten minutes. */
export async function holdDeletions(bucket: Bucket): Promise<DeletionHold> {
  const name = HOLDS + randomBytes(16).toString('hex');
  const write = () => bucket.put(name, new Uint8Array(), { replace: true });
  await write();
  let renewing: Promise<unknown> = Promise.resolve();
  let isReleased = false;
  const timer = setInterval(() => {
    // The next renewal makes up for a missed one, long before the hold expires.
    renewing = renewing.then(write).catch(() => undefined);
  }, RENEWED_EVERY_MS).unref();
  return {
    async release() {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      await renewing;
      await bucket.delete(name);
    },
  };
}

/** Returns whether a hold is in force. Removes holds of killed processes. */
export async function areDeletionsHeld(bucket: Bucket): Promise<boolean> {
  for await (const { name, modified } of bucket.list(HOLDS)) {
    const age = Date.now() + bucket.clockDifference().clockDifferenceMs - modified.getTime();
    if (age < EXPIRES_AFTER_MS) return true;
    await bucket.delete(name);
  }
  return false;
}
