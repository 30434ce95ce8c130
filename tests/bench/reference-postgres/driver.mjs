// The reference runs on the very driver that the server runs on: it is taken from where the server finds it.
import { createRequire } from 'node:module';
import { connect as connectSocket } from 'node:net';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {Record<string, any>} Row
 * @typedef {object} Pool
 * @property {(text: string, values: unknown[], options: { prepare: boolean }) => Promise<Row[]>} unsafe
 * @property {() => Promise<void>} end
 */

const storage = createRequire(new URL('../../../packages/storage-postgres/package.json', import.meta.url));
const { default: postgres } = await import(pathToFileURL(storage.resolve('postgres')).href);

/**
 * A pool of postgres.js as it is at its fastest: statements prepared, nothing asked at the start, and sockets that do
 * not hold back a statement until the one before it is answered.
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
