// Resolves the driver from the storage package, so that the reference runs on the server's driver.
import { createRequire } from 'node:module';
import { connect as connectSocket } from 'node:net';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {Record<string, any>} Row
 * @typedef {{ writable(): Promise<import('node:stream').Writable> }} Copying takes the rows of `COPY … FROM STDIN`
 * @typedef {object} Pool
 * @property {(text: string, values: unknown[], options: { prepare: boolean }) => Promise<Row[]> & Copying} unsafe
 * @property {() => Promise<void>} end
 */

const storage = createRequire(new URL('../../../packages/storage-postgres/package.json', import.meta.url));
const { default: postgres } = await import(pathToFileURL(storage.resolve('postgres')).href);

/**
 * Creates a pool of postgres.js with its fastest settings: prepared statements, no query for types at the start, and
 * sockets without Nagle's delay.
 * @param {string} url
 * @param {number} connections at most
 * @returns {Pool}
 */
export function createPool(url, connections) {
  const { hostname, port } = new URL(url);
  return postgres(url, {
    max: connections,
    fetch_types: false,
    onnotice: () => undefined,
    socket: () => connectSocket({ host: hostname, port: Number(port || 5432), noDelay: true }),
  });
}
