// The reference programs run on the very libraries that the server runs on: they are taken from where it finds them.
import { randomFillSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const runtime = createRequire(new URL('../../../packages/runtime/package.json', import.meta.url));

/** @type {{ v7: (options: { rng: () => Uint8Array }) => string }} */
const uuid = await import(pathToFileURL(runtime.resolve('uuid')).href);

const pool = new Uint8Array(4096);
let taken = pool.length;

/** UUID version 7: rows lie in the order of their creation. */
export function newId() {
  return uuid.v7({ rng });
}

/** From a pool, as `randomUUID` does it: to ask for sixteen bytes costs 5 µs each time. */
function rng() {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += 16;
  return pool.subarray(taken - 16, taken);
}
