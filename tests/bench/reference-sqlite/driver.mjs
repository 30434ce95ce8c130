// The reference runs on the very driver that the server runs on: it is taken from where the server finds it.
import { createRequire } from 'node:module';

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

/** @type {new (file: string, options: { fileMustExist: boolean, readonly?: boolean }) => Driver} */
const Database = storage('better-sqlite3');

/**
 * A connection of better-sqlite3 to a database that exists.
 * @param {string} file
 */
export function createDriver(file, { readonly = false } = {}) {
  return new Database(file, { fileMustExist: true, readonly });
}
