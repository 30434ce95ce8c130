import { randomFillSync } from 'node:crypto';

/** Random bytes are fetched for many calls at once: one by one they cost as much as an encryption. */
const POOL_BYTES = 4096;

const pool: Uint8Array = new Uint8Array(POOL_BYTES);
let used = POOL_BYTES;

/** Returns up to 4,096 fresh random bytes for a key or a nonce. The pool forgets them. */
export function freshRandomBytes(count: number): Uint8Array {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + count);
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}
