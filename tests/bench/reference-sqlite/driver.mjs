// Resolves the driver from the storage package, so that the reference runs on the server's driver.
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
 * Opens an existing database with better-sqlite3.
 * @param {string} file
 */
export function createDriver(file, { readonly = false } = {}) {
  return new Database(file, { fileMustExist: true, readonly });
}
