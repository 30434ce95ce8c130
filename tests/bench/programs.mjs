// The server and the reference programs, each a process with a database of its own.
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { start, stop } from './children.mjs';
import { freePort, isReady } from './ports.mjs';

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {number} pid
 * @property {number} port
 * @property {string} databaseFile
 * @property {() => Promise<void>} stop
 *
 * @typedef {{ secret: string, publicBaseUrl: string }} Secrets `secret` in hexadecimal: the same for all, so that all
 * give the same answers
 */

const command = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const reference = fileURLToPath(new URL('./reference-sqlite/program.mjs', import.meta.url));
/** What Node is told besides: the flags of `npm start`. */
const flags = flagsOf(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).scripts.start,
);
const UNLIMITED = '1000000000';
const START_MS = 30_000;
const LOOK_EVERY_MS = 25;

/** @param {string} dataDir */
export const databaseFileIn = (dataDir) => join(dataDir, 'countersign.db');

/**
 * Runs the command line on the data directory.
 * @param {string} dataDir
 * @param {...string} args
 * @returns {Promise<Record<string, string>>} what it answers
 */
export async function countersign(dataDir, ...args) {
  const child = start([command, '--json', ...args], {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}`);
  return JSON.parse(output);
}

/**
 * The real server, as it is run in production: its log goes to a file, its limits stand. Only the rates are raised.
 * @param {string} dataDir
 * @param {Secrets} secrets
 * @returns {Promise<Program>}
 */
export async function startServer(dataDir, { secret, publicBaseUrl }) {
  const port = await freePort();
  const logFile = join(dataDir, 'server.log');
  const log = openSync(logFile, 'w');
  const child = start([...flags, command, 'serve'], {
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      SECRET_KEYS: secret,
      PUBLIC_BASE_URL: publicBaseUrl,
      STANDARD_REQUESTS_PER_MINUTE: UNLIMITED,
      ENTERPRISE_REQUESTS_PER_MINUTE: UNLIMITED,
      ANONYMOUS_REQUESTS_PER_MINUTE: UNLIMITED,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);

  const deadline = performance.now() + START_MS;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`the server did not start: ${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
    await pause(LOOK_EVERY_MS);
  }
  return {
    name: 'server',
    pid: /** @type {number} */ (child.pid),
    port,
    databaseFile: databaseFileIn(dataDir),
    stop: () => stop(child, 'SIGTERM'),
  };
}

/**
 * @param {string} dataDir holds a database that the server has made
 * @param {'group' | 'each'} commit
 * @param {Secrets} secrets
 * @returns {Promise<Program>}
 */
export async function startReference(dataDir, commit, { secret, publicBaseUrl }) {
  const databaseFile = databaseFileIn(dataDir);
  const child = start([reference, databaseFile, commit], {
    env: { SECRET: secret, PUBLIC_BASE_URL: publicBaseUrl },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the reference ended with ${code}`)),
  );
  // Of interest only while it starts.
  ended.catch(() => undefined);
  const [{ port }] = await Promise.race([once(child, 'message'), ended]);
  return {
    name: commit === 'group' ? 'reference' : 'one commit per request',
    pid: /** @type {number} */ (child.pid),
    port,
    databaseFile,
    stop: () => stop(child, 'SIGTERM'),
  };
}

/**
 * The flags between `node` and the program that it is to run.
 * @param {string} script such as `exec node --a --b=1 run.mjs start`
 */
function flagsOf(script) {
  const words = script.split(' ');
  const first = words.indexOf('node') + 1;
  const program = words.findIndex((word, index) => index >= first && !word.startsWith('-'));
  return words.slice(first, program);
}
