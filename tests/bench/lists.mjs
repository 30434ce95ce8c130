// Measures every list of the API over databases of several sizes, in turns, and what other requests notice of them.
import { makeInstallations } from './installations.mjs';
import { latencyBesideLists } from './list-latency.mjs';
import { FEW_LISTS, LISTS, numbersOf, PAGES, pathOf } from './list-queries.mjs';
import { startLoader } from './load/loader.mjs';
import { openSerial } from './load/serial.mjs';
import { median } from './rounds.mjs';
import { cpuSeconds, cpuSecondsWithChildren } from './usage.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {import('./list-queries.mjs').List} List
 * @typedef {import('./list-queries.mjs').Page} Page
 * @typedef {Awaited<ReturnType<typeof benchLists>>} ListFigures
 *
 * @typedef {object} ListsExtent
 * @property {readonly List[]} lists
 * @property {readonly number[]} sizes verifications of the client
 * @property {number} days over which they are spread
 * @property {number} warmUp requests of each first page before the first round
 * @property {number} rounds
 * @property {number} requests of each page in a round, at most
 * @property {number} seconds for these requests, after which no further one begins
 * @property {number} latencyRounds
 * @property {number} latencySeconds calm and loaded, of each round
 *
 * @typedef {object} Place a server and its numbers of the measured pages
 * @property {number} rows
 * @property {import('./programs.mjs').Program} server
 * @property {import('./load/serial.mjs').Serial} serial
 * @property {Map<List, ReturnType<typeof numbersOf>>} pages
 *
 * @typedef {object} PageFigures one page of one list over one size
 * @property {number} rows
 * @property {Page} page
 * @property {List} list
 * @property {number} number of the page
 * @property {number} p50 milliseconds
 *
 * @typedef {object} CpuFigures of all orders of one filter
 * @property {string} filter
 * @property {Page} page
 * @property {number} rows
 * @property {number | null} server microseconds of CPU per request
 * @property {number | null} database the same, of its processes
 */

/** @type {ListsExtent} */
const FULL = {
  lists: LISTS,
  sizes: [1_000, 100_000, 1_000_000],
  days: 400,
  warmUp: 3,
  rounds: 5,
  requests: 5,
  seconds: 0.3,
  latencyRounds: 3,
  latencySeconds: 15,
};
/** @type {ListsExtent} */
const SHORT = {
  lists: FEW_LISTS,
  sizes: [100, 200],
  days: 400,
  warmUp: 0,
  rounds: 1,
  requests: 1,
  seconds: 0,
  latencyRounds: 1,
  latencySeconds: 0.2,
};

/**
 * @param {Kind} kind
 * @param {{ short: boolean, extent?: Partial<ListsExtent>, say: (line: string) => void }} options
 */
export async function benchLists(kind, { short, extent, say }) {
  const { lists, sizes, days, warmUp, rounds, requests, seconds, latencyRounds, latencySeconds } = {
    ...(short ? SHORT : FULL),
    ...extent,
  };
  const loader = startLoader();
  const { setup, installations, stop } = await makeInstallations(
    kind,
    { sizes, others: short ? 5 : 200, days, staff: false },
    { loader, say },
  );
  const headers = { 'X-API-Key': setup.key };
  /** @type {Place[]} */
  const places = [];
  say('warming up …');
  for (const { rows, server } of installations) {
    const serial = await openSerial(server.port);
    /** @type {Place['pages']} */
    const pages = new Map();
    for (const list of lists) {
      const { data } = JSON.parse(await serial.read(pathOf(list, 1), headers));
      requireFullPage(list, data);
      pages.set(list, numbersOf(data.pagination.totalPages));
      for (let sent = 0; sent < warmUp; sent += 1) await serial.time(pathOf(list, 1), headers);
    }
    places.push({ rows, server, serial, pages });
  }

  /** @type {Map<string, PageFigures & { times: number[] }>} */
  const pages = new Map();
  /** @type {Map<string, { filter: string, page: Page, rows: number, requests: number, server: number | null, database: number | null }>} */
  const cpu = new Map();

  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}: ${lists.length} lists …`);
    for (const list of lists) {
      for (const page of PAGES) {
        // Alternates the order, because the first server may find the machine in another state.
        for (const place of round % 2 === 0 ? places : places.toReversed()) await measure(place, list, page);
      }
    }
  }
  const largest = /** @type {import('./installations.mjs').Installation} */ (installations.at(-1));
  const latency = await latencyBesideLists(
    { server: largest.server, setup, loader, say },
    { rounds: latencyRounds, seconds: latencySeconds },
  );
  for (const { serial } of places) serial.close();
  await stop();
  await loader.stop();
  return {
    kind,
    lists,
    sizes,
    days,
    pages: [...pages.values()].map(({ times, ...figures }) => ({ ...figures, p50: median(times) })),
    cpu: [...cpu.values()].map((each) => ({
      ...each,
      server: each.server === null ? null : (each.server / each.requests) * 1e6,
      database: each.database === null ? null : (each.database / each.requests) * 1e6,
    })),
    latency,
  };

  /** @param {Place} place @param {List} list @param {Page} page */
  async function measure({ rows, server, serial, pages: numbers }, list, page) {
    const number = numbers.get(list)?.[page];
    if (number === undefined) return;
    const key = `${rows} ${page} ${list.query}`;
    const figures = pages.get(key) ?? { rows, page, list, number, p50: Number.NaN, times: [] };
    pages.set(key, figures);
    const before = used(server);
    const end = performance.now() + seconds * 1000;
    let sent = 0;
    do {
      figures.times.push(await serial.time(pathOf(list, number), headers));
      sent += 1;
    } while (sent < requests && performance.now() < end);
    const after = used(server);
    const group = `${list.filter} ${page} ${rows}`;
    const sum = cpu.get(group) ?? { filter: list.filter, page, rows, requests: 0, server: 0, database: 0 };
    cpu.set(group, {
      ...sum,
      requests: sum.requests + sent,
      server: added(sum.server, before.own, after.own),
      database: added(sum.database, before.database, after.database),
    });
  }
}

/** A page that is not full would cost less than a full one. @param {List} list @param {any} data */
function requireFullPage({ query }, { verifications, pagination }) {
  if (verifications.length < pagination.limit) throw new Error(`${query}: the first page is not full`);
  const unreadable = verifications.find((/** @type {any} */ each) => each.dataError !== undefined);
  if (unreadable) throw new Error(`${query}: the documents of ${unreadable.id} cannot be read`);
}

/** @param {import('./programs.mjs').Program} program */
function used({ pid, databasePid }) {
  return {
    own: cpuSeconds(pid),
    database: databasePid === undefined ? null : cpuSecondsWithChildren(databasePid),
  };
}

/** @param {number | null} sum @param {number | null} from @param {number | null} to */
function added(sum, from, to) {
  return sum === null || from === null || to === null ? null : sum + to - from;
}
