// Measures the requests of one client while four others page through another client's verifications in every order and one
// exports them.
import { once } from 'node:events';
import { request } from 'node:http';
import { LISTS, pathOf } from './list-queries.mjs';
import { startLoader } from './load/loader.mjs';
import { median, timesOf } from './rounds.mjs';

/**
 * @typedef {import('./rounds.mjs').Times} Times
 * @typedef {{ calm: Times, loaded: Times, listsPerSecond: number, exportedPerSecond: number }} Measured one round
 * @typedef {Awaited<ReturnType<typeof latencyBesideLists>>[number]} LatencyFigures
 */

const CALLS = { connections: 4, perSecond: 100 };
const READERS = 4;
/** What an enterprise client may send in a second by default: 500 a minute. */
const ALLOWED_PER_SECOND = 500 / 60;
/** Each reader takes the pages of an order one after the other. */
const PAGES_OF_AN_ORDER = 25;
const MOST_PER_SECOND = 2_000;

/**
 * @param {{ server: import('./programs.mjs').Program, setup: import('./installations.mjs').Setup,
 *   loader: ReturnType<typeof startLoader>, say: (line: string) => void }} given
 * @param {{ rounds: number, seconds: number }} extent
 */
export async function latencyBesideLists({ server: { port }, setup, loader: caller, say }, { rounds, seconds }) {
  const reader = startLoader();
  const paths = LISTS.filter(({ filter }) => filter === 'none').flatMap((list) =>
    Array.from({ length: PAGES_OF_AN_ORDER }, (_, index) => pathOf(list, index + 1)),
  );
  const headers = { 'X-API-Key': setup.key };
  const call = () =>
    caller.run({
      port,
      keys: [setup.otherKey],
      seconds,
      requests: 0,
      connections: CALLS.connections,
      kind: { name: 'call', targets: setup.others, perSecond: CALLS.perSecond },
    });
  const lists = (/** @type {{ perSecond?: number }} */ pace) =>
    reader.run({
      port,
      keys: [],
      seconds,
      requests: Math.ceil(seconds * MOST_PER_SECOND),
      connections: READERS,
      kind: { name: 'page', paths, headers, ...pace },
    });

  /** @param {string} name @param {{ perSecond?: number }} pace */
  async function beside(name, pace) {
    /** @type {Measured[]} */
    const measured = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`another client's requests, round ${round + 1} of ${rounds}: ${name} …`);
      const calm = timesOf((await call()).milliseconds);
      const exporting = startExport(port, setup.owner);
      const [loaded, read] = await Promise.all([call(), lists(pace)]);
      const exportedBytes = await exporting.stop();
      const listsPerSecond = read.requests / read.seconds;
      const times = timesOf(loaded.milliseconds);
      measured.push({ calm, loaded: times, listsPerSecond, exportedPerSecond: exportedBytes / read.seconds });
    }
    const middle = (/** @type {(each: Measured) => number} */ of) => median(measured.map(of));
    return {
      name,
      calm: { p50: middle(({ calm }) => calm.p50), p99: middle(({ calm }) => calm.p99) },
      loaded: { p50: middle(({ loaded }) => loaded.p50), p99: middle(({ loaded }) => loaded.p99) },
      ratio: middle(({ calm, loaded }) => loaded.p99 / calm.p99),
      listsPerSecond: middle(({ listsPerSecond }) => listsPerSecond),
      exportedPerSecond: middle(({ exportedPerSecond }) => exportedPerSecond),
    };
  }

  const figures = [
    await beside('lists without pause', {}),
    await beside("lists at an enterprise client's limit", { perSecond: READERS * ALLOWED_PER_SECOND }),
  ];
  await reader.stop();
  return figures;
}

/**
 * Exports all verifications, again and again.
 * @param {number} port
 * @param {string} cookie
 */
function startExport(port, cookie) {
  let bytes = 0;
  let isStopped = false;
  /** @type {import('node:http').ClientRequest | undefined} */
  let sent;

  async function exportAll() {
    sent = request({ host: '127.0.0.1', port, path: EXPORT, headers: { Cookie: cookie }, agent: false });
    sent.end();
    const [response] = await once(sent, 'response');
    if (response.statusCode !== 200) throw new Error(`the export was answered with ${response.statusCode}`);
    for await (const chunk of response) bytes += chunk.length;
  }

  async function again() {
    try {
      while (!isStopped) await exportAll();
    } catch (error) {
      // Broken off by `stop`.
      if (!isStopped) throw error;
    }
  }

  const ended = again();
  // `stop` reports it.
  ended.catch(() => undefined);
  return {
    /** Breaks the export off. @returns {Promise<number>} the bytes received */
    async stop() {
      isStopped = true;
      sent?.destroy();
      await ended;
      return bytes;
    },
  };
}

const EXPORT = '/dashboard/verifications/export.csv';
