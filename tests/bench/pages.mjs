// Measures how dashboard pages that are reloaded without pause slow down the API: its response times with and without them,
// in alternating rounds, and the server's memory.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from './compare.mjs';
import { startLoader } from './load/loader.mjs';
import { countersign, startServer } from './programs.mjs';
import { median } from './rounds.mjs';
import { residentMegabytes } from './usage.mjs';
import { workFolder } from './work-folder.mjs';

/**
 * @typedef {Awaited<ReturnType<typeof benchPages>>} PageFigures
 * @typedef {import('./load/round.mjs').RoundResult} RoundResult
 */

const PUBLIC_BASE_URL = 'https://verify.example';
const PATHS = ['/dashboard/verifications', '/dashboard', '/dashboard/verifications?status=pending'];
const CALLS = { connections: 4, perSecond: 100 };
const MONTHLY_LIMIT = '2000000000';
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
  const plan = ['--plan', 'enterprise', '--monthly-limit', MONTHLY_LIMIT];
  const client = await countersign(env, 'client', 'create', '--name', 'Bench', ...plan);
  const { key = '' } = await countersign(env, 'key', 'create', '--client', client.id ?? '', '--permissions', '*');
  const invited = ['--email', 'owner@bench.example', '--role', 'client', '--client', client.id ?? ''];
  const { signInUrl = '' } = await countersign({ ...env, PUBLIC_BASE_URL }, 'user', 'create', ...invited);

  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: PUBLIC_BASE_URL };
  const database = { env, rowsOf: () => undefined };
  // A server of its own accepts the invitation: the thread that estimates passwords takes 60 MB there for some seconds.
  const first = await startServer({ database, logFile: join(folder, 'invitation.log'), secrets });
  const cookie = await session(first.port, signInUrl);
  await first.stop();
  const server = await startServer({ database, logFile: join(folder, 'pages.log'), secrets });
  const { port, pid } = server;
  const [caller, reader] = [startLoader(), startLoader()];
  const keys = [key];

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
      kind: { name: 'page', paths: PATHS, cookie },
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
      calm: timesOf(calm),
      loaded: timesOf(loaded),
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

/**
 * Sets a password by the link of an invitation.
 * @param {number} port
 * @param {string} link
 * @returns {Promise<string>} the session as a `Cookie` header
 */
async function session(port, link) {
  const password = randomBytes(16).toString('hex');
  const response = await fetch(`http://127.0.0.1:${port}${new URL(link).pathname}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: PUBLIC_BASE_URL },
    body: new URLSearchParams({ password, repeat: password }),
  });
  if (response.status !== 303) throw new Error(`the invitation was answered with ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** @typedef {{ p50: number, p99: number }} Times in milliseconds */

/** @param {RoundResult} result @returns {Times} */
function timesOf({ milliseconds }) {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  /** @param {number} share */
  const at = (share) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** @param {readonly Times[]} times @returns {Times} */
function middle(times) {
  return { p50: median(times.map(({ p50 }) => p50)), p99: median(times.map(({ p99 }) => p99)) };
}
