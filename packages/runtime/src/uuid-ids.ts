import { randomFillSync } from 'node:crypto';
import type { Ids } from '@countersign/domain';
import { v7 } from 'uuid';

const RANDOM_BYTES = 16;
/** Random bytes are fetched for so many ids at once: one by one they cost more than the rest of a UUID. */
const IDS_A_FETCH = 256;
const SEQUENCE_MASK = 0x7fff_ffff;

/**
 * UUID version 7 (RFC 9562): rows lie in the order of their creation, and within one process no two are out of it,
 * also when the clock goes back (section 6.2, method 1: a counter that starts anywhere in its lower half).
 */
export function createUuidIds(): Ids {
  const pool = Buffer.allocUnsafe(RANDOM_BYTES * IDS_A_FETCH);
  let used = pool.length;
  let msecs = 0;
  let seq = 0;

  return {
    next() {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const random = pool.subarray(used, used + RANDOM_BYTES);
      used += RANDOM_BYTES;
      const now = Date.now();
      if (now > msecs) {
        msecs = now;
        // Bytes of `random` that the UUID has no other use for.
        seq = random.readUInt32BE(0) & SEQUENCE_MASK;
      } else {
        seq += 1;
      }
      return v7({ msecs, seq, random });
    },
  };
}
