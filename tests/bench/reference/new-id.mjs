// Resolves uuid from the runtime package, so that the references run on the server's library.
import { randomFillSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const runtime = createRequire(new URL('../../../packages/runtime/package.json', import.meta.url));

/** @type {{ v7: (options: { rng: () => Uint8Array }) => string }} */
const uuid = await import(pathToFileURL(runtime.resolve('uuid')).href);

const pool = new Uint8Array(4096);
let taken = pool.length;

/** Creates a UUID version 7, which keeps rows in the order of their creation. */
export function newId() {
  return uuid.v7({ rng });
}

/** Takes random bytes from a pool, as `randomUUID` does: requesting sixteen bytes costs 5 µs each time. */
function rng() {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += 16;
  return pool.subarray(taken - 16, taken);
}
