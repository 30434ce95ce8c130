// The reference runs on the very libraries that the server runs on: they are taken from where the server finds them.
import { randomFillSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Statement
 * @property {(...values: unknown[]) => any} get
 * @property {(...values: unknown[]) => unknown} run
 *
 * @typedef {object} Driver
 * @property {(sql: string) => Statement} prepare
 * @property {(pragma: string) => unknown} pragma
 * @property {() => void} close
 */

const storage = createRequire(new URL('../../../packages/storage-sqlite/package.json', import.meta.url));
const runtime = createRequire(new URL('../../../packages/runtime/package.json', import.meta.url));

/** @type {new (file: string, options: { fileMustExist: boolean, readonly?: boolean }) => Driver} */
const Database = storage('better-sqlite3');

/**
 * A connection of better-sqlite3 to a database that exists.
 * @param {string} file
 */
export function createDriver(file, { readonly = false } = {}) {
  return new Database(file, { fileMustExist: true, readonly });
}

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
