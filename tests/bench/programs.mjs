// Starts the server and the reference programs, each as a process with a separate database.
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServer } from '../../scripts/server-bundle.mjs';
import { start, stop } from './children.mjs';
import { freePort, isReady } from './ports.mjs';

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {number} pid
 * @property {number} port
 * @property {Database['rowsOf']} rowsOf
 * @property {number | undefined} databasePid
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} Database
 * @property {Record<string, string>} env the server's environment variables that select it
 * @property {(subjectReference: string) => unknown} rowsOf reads the rows of a creation for comparison
 * @property {number | undefined} [pid] of the database's main process, if the benchmark started one
 *
 * @typedef {{ secret: string, publicBaseUrl: string }} Secrets `secret` in hexadecimal; shared by all programs,
 * so that their responses are equal
 */

const command = await buildServer();
/** The Node flags of `npm start`. */
const flags = flagsOf(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).scripts.start,
);
const UNLIMITED = '1000000000';
const START_MS = 30_000;
const LOOK_EVERY_MS = 25;

/**
 * Runs the command line.
 * @param {Record<string, string>} env
 * @param {...string} args
 * @returns {Promise<Record<string, string>>} its JSON output
 */
export async function countersign(env, ...args) {
  const child = start([command, '--json', ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`countersign ${args.join(' ')} ended with ${code}`);
  return JSON.parse(output);
}

/**
 * Starts the real server as in production, with its log in a file. Only the rate limits are raised.
 * @param {{ database: Database, logFile: string, secrets: Secrets, program?: string }} options `program` default: this version's
 * @returns {Promise<Program>}
 */
export async function startServer({ database, logFile, secrets: { secret, publicBaseUrl }, program = command }) {
  const port = await freePort();
  const log = openSync(logFile, 'w');
  const child = start([...flags, program, 'serve'], {
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      ...database.env,
      SECRET_KEYS: secret,
      PUBLIC_BASE_URL: publicBaseUrl,
      STANDARD_REQUESTS_PER_MINUTE: UNLIMITED,
      ENTERPRISE_REQUESTS_PER_MINUTE: UNLIMITED,
      ANONYMOUS_REQUESTS_PER_MINUTE: UNLIMITED,
      SIGNED_IN_REQUESTS_PER_MINUTE: UNLIMITED,
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
    rowsOf: database.rowsOf,
    databasePid: database.pid,
    stop: () => stop(child, 'SIGTERM'),
  };
}

/**
 * @typedef {object} RunningCommand
 * @property {Promise<void>} ended rejects if it fails
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a command of the program, with its output in a file.
 * @param {{ database: Database, logFile: string, secrets: Secrets }} options
 * @param {...string} args
 * @returns {RunningCommand}
 */
export function startCommand({ database, logFile, secrets: { secret, publicBaseUrl } }, ...args) {
  const log = openSync(logFile, 'a');
  const env = { NODE_ENV: 'production', ...database.env, SECRET_KEYS: secret, PUBLIC_BASE_URL: publicBaseUrl };
  const child = start([command, ...args], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = once(child, 'exit').then(([code]) => {
    if (code !== 0)
      throw new Error(
        `countersign ${args.join(' ')} ended with ${code}: ${readFileSync(logFile, 'utf8').slice(-2000)}`,
      );
  });
  // Awaited only by benchmarks that do not stop it.
  ended.catch(() => undefined);
  return { ended, stop: () => stop(child, 'SIGTERM') };
}

/**
 * Starts a reference program, which reports its port once it listens.
 * @param {{ name?: string, args: string[], database: Database, secrets: Secrets }} options
 * @returns {Promise<Program>}
 */
export async function startReference({ name = 'reference', args, database, secrets: { secret, publicBaseUrl } }) {
  const child = start(args, {
    env: { ...database.env, SECRET: secret, PUBLIC_BASE_URL: publicBaseUrl },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the reference ended with ${code}`)),
  );
  // Reported only during the start.
  ended.catch(() => undefined);
  const [{ port }] = await Promise.race([once(child, 'message'), ended]);
  return {
    name,
    pid: /** @type {number} */ (child.pid),
    port,
    rowsOf: database.rowsOf,
    databasePid: database.pid,
    stop: () => stop(child, 'SIGTERM'),
  };
}

/**
 * Extracts the flags between `node` and the program.
 * @param {string} script such as `exec node --a --b=1 run.mjs start`
 */
function flagsOf(script) {
  const words = script.split(' ');
  const first = words.indexOf('node') + 1;
  const program = words.findIndex((word, index) => index >= first && !word.startsWith('-'));
  return words.slice(first, program);
}
