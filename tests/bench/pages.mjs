// Measures how dashboard pages that are reloaded without pause slow down the API: its response times with and without them,
// in alternating rounds, and the server's memory.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from './compare.mjs';
import { createClientsInSqlite } from './create-clients.mjs';
import { startLoader } from './load/loader.mjs';
import { startServer } from './programs.mjs';
import { median, timesOf } from './rounds.mjs';
import { PUBLIC_BASE_URL, signedIn } from './signed-in.mjs';
import { residentMegabytes } from './usage.mjs';
import { workFolder } from './work-folder.mjs';

/**
 * @typedef {Awaited<ReturnType<typeof benchPages>>} PageFigures
 * @typedef {import('./rounds.mjs').Times} Times
 */

const PATHS = ['/dashboard/verifications', '/dashboard', '/dashboard/verifications?status=pending'];
const CALLS = { connections: 4, perSecond: 100 };
/** Longer than the pages of a round take on a slow machine. */
const PAGES_SECONDS = 120;

/**
 * @param {import('./extent.mjs').Extent['pages']} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 */
export async function benchPages({ verifications, rounds, pages, connections, seconds }, { say }) {
  const folder = workFolder();
  const dataDir = join(folder, 'pages');
  mkdirSync(dataDir);
  const env = { DATA_DIR: dataDir };
  const [client] = await createClientsInSqlite(join(dataDir, 'countersign.db'), 1);

  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: PUBLIC_BASE_URL };
  const database = { env, rowsOf: () => undefined };
  // A server of its own accepts the invitation: the thread that estimates passwords takes 60 MB there for some seconds.
  const first = await startServer({ database, logFile: join(folder, 'invitation.log'), secrets });
  const cookie = await signedIn(first, env, ['--role', 'client', '--client', client?.id ?? '']);
  await first.stop();
  const server = await startServer({ database, logFile: join(folder, 'pages.log'), secrets });
  const { port, pid } = server;
  const [caller, reader] = [startLoader(), startLoader()];
  const keys = [client?.key ?? ''];

  say(`${verifications} verifications …`);
  const targets = await fill(caller, server, { verifications, keys });
  const call = (/** @type {number} */ forSeconds) =>
    caller.run({
      port,
      keys,
      seconds: forSeconds,
      requests: 0,
      connections: CALLS.connections,
      kind: { name: 'call', targets, perSecond: CALLS.perSecond },
    });
  const read = (/** @type {number} */ requests) =>
    reader.run({
      port,
      keys,
      requests,
      connections,
      seconds: PAGES_SECONDS,
      kind: { name: 'page', paths: PATHS, headers: { Cookie: cookie, 'Accept-Language': 'en' } },
    });

  say('warming up …');
  await call(seconds / 4);
  const { requests, seconds: took } = await read(Math.ceil(pages / rounds / 4));
  const perRound = Math.ceil(pages / rounds);
  // As long as the pages take, so that no call is measured after the last page.
  const meanwhile = (perRound * took) / requests;

  say(`${pages} pages on ${connections} connections, in ${rounds} rounds …`);
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const calm = await call(seconds);
    const [loaded, shown] = await Promise.all([call(meanwhile * 0.8), read(perRound)]);
    measured.push({
      calm: timesOf(calm.milliseconds),
      loaded: timesOf(loaded.milliseconds),
      pagesPerSecond: shown.requests / shown.seconds,
      megabytes: residentMegabytes(pid)?.now ?? null,
    });
  }
  const memory = residentMegabytes(pid);
  for (const program of [server, caller, reader]) await program.stop();
  return {
    pages: perRound * rounds,
    connections,
    pagesPerSecond: median(measured.map(({ pagesPerSecond }) => pagesPerSecond)),
    calm: middle(measured.map(({ calm }) => calm)),
    loaded: middle(measured.map(({ loaded }) => loaded)),
    ratio: {
      p50: median(measured.map(({ calm, loaded }) => loaded.p50 / calm.p50)),
      p99: median(measured.map(({ calm, loaded }) => loaded.p99 / calm.p99)),
    },
    megabytes: measured.map((round) => round.megabytes),
    highest: memory?.highest ?? null,
  };
}

/** @param {readonly Times[]} times @returns {Times} */
function middle(times) {
  return { p50: median(times.map(({ p50 }) => p50)), p99: median(times.map(({ p99 }) => p99)) };
}
