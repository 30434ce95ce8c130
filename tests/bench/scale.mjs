// Measures operations over 100,000 and over millions of verifications in partitions, in turns.
import { short as shortNumber } from './chart.mjs';
import { startLoader } from './load/loader.mjs';
import { openSerial } from './load/serial.mjs';
import { interleave, median, summary } from './rounds.mjs';
import { makeScaleDatabases } from './scale-databases.mjs';

/**
 * @typedef {import('./scale-databases.mjs').ScaleDatabase} ScaleDatabase
 * @typedef {Awaited<ReturnType<typeof benchScale>>} ScaleFigures
 *
 * @typedef {object} ScaleExtent
 * @property {readonly number[]} sizes
 * @property {number} clients
 * @property {number} withKey clients that the benchmark calls
 * @property {number} days
 * @property {number} rounds
 * @property {number} seconds of creations and of reads in each round
 * @property {number} requests lists in each round
 */

/** @type {ScaleExtent} */
const FULL = {
  sizes: [100_000, 5_000_000],
  clients: 10_000,
  withKey: 100,
  days: 400,
  rounds: 7,
  seconds: 3,
  requests: 200,
};
/** @type {ScaleExtent} */
const SHORT = { sizes: [100, 200], clients: 10, withKey: 2, days: 400, rounds: 1, seconds: 0.1, requests: 4 };

/** As many as each client has in the smaller data: like is compared with like. */
const LIST_LIMIT = 10;
const MOST_PER_SECOND = 30_000;
const QUEUE_REQUESTS = 10;
const AT_ONCE = { get: 32, post: 64 };

/**
 * @param {{ short: boolean, rows: number | undefined, say: (line: string) => void }} options `rows` of the larger data
 */
export async function benchScale({ short, rows, say }) {
  const extent = short ? SHORT : FULL;
  const { clients, withKey, days, rounds, seconds, requests } = extent;
  const smaller = /** @type {number} */ (extent.sizes[0]);
  const sizes = rows === undefined ? extent.sizes : [Math.min(smaller, Math.ceil(rows / 10)), rows];
  const { keys, reviewer, databases, stop } = await makeScaleDatabases({ sizes, clients, withKey, days }, { say });
  const loader = startLoader();
  const serials = new Map(
    await Promise.all(
      databases.map(async ({ server }) => /** @type {const} */ ([server, await openSerial(server.port)])),
    ),
  );
  const servers = databases.map(({ server }) => server);
  const databaseOf = new Map(databases.map((database) => [database.server, database]));

  let prefixes = 0;
  /** @typedef {(server: import('./programs.mjs').Program) => Promise<{ requests: number, seconds: number, milliseconds?: readonly number[] }>} Operation */
  /** @type {Record<string, Operation>} */
  const operations = {
    [`get, ${AT_ONCE.get} at once`]: (server) =>
      loader.run({
        port: server.port,
        connections: AT_ONCE.get,
        seconds,
        requests: Math.ceil(seconds * MOST_PER_SECOND),
        keys,
        kind: { name: 'get', targets: /** @type {ScaleDatabase} */ (databaseOf.get(server)).targets },
      }),
    'list, one at a time': (server) =>
      serially(server, requests, (number) => ({
        path: `/api/v1/verifications?limit=${LIST_LIMIT}`,
        headers: { 'X-API-Key': keys[number % keys.length] ?? '' },
      })),
    'queue page, one at a time': (server) =>
      serially(server, QUEUE_REQUESTS, () => ({
        path: '/review',
        headers: { Cookie: reviewer, 'Accept-Language': 'en' },
      })),
    // Last, because the data grows.
    [`create, ${AT_ONCE.post} at once`]: ({ port }) =>
      loader.run({
        port,
        connections: AT_ONCE.post,
        seconds,
        requests: Math.ceil(seconds * MOST_PER_SECOND),
        keys,
        kind: { name: 'post', prefix: `scale-${prefixes++}`, collect: false },
      }),
  };

  /**
   * @param {import('./programs.mjs').Program} server
   * @param {number} count
   * @param {(number: number) => { path: string, headers: Record<string, string> }} requestOf
   */
  async function serially(server, count, requestOf) {
    const serial = /** @type {import('./load/serial.mjs').Serial} */ (serials.get(server));
    const start = performance.now();
    for (let number = 0; number < count; number += 1) {
      const { path, headers } = requestOf(number);
      await serial.time(path, headers);
    }
    return { requests: count, seconds: (performance.now() - start) / 1000 };
  }

  const measured = [];
  for (const [name, run] of Object.entries(operations)) {
    say(`${name} …`);
    await interleave(servers, 1, run);
    const byServer = await interleave(servers, rounds, run);
    const ofEach = databases.map(({ rows: size, server }) => ({
      rows: size,
      ...summary(byServer.get(server)),
    }));
    const ratio = median(
      Array.from({ length: rounds }, (_, round) => {
        const [one, other] = [servers[0], servers.at(-1)].map(
          (server) => server && byServer.get(server)?.[round]?.perSecond,
        );
        return (one ?? Number.NaN) / (other ?? Number.NaN);
      }),
    );
    measured.push({ name, ratio, sizes: ofEach });
  }
  for (const serial of serials.values()) serial.close();
  await loader.stop();
  await stop();
  return {
    title: `${shortNumber(clients)} clients, ${databases.map(({ rows: size }) => shortNumber(size)).join(' and ')} verifications over ${days} days, 8 partitions of each table`,
    operations: measured,
    indexes: databases.map(({ rows: size, indexes }) => ({ rows: size, indexes })),
  };
}
