// Starts other programs and passes signals and exit codes on.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {string} line */
export function say(line) {
  process.stderr.write(`countersign: ${line}\n`);
}

/**
 * @param {string} line
 * @returns {never}
 */
export function fail(line) {
  say(line);
  process.exit(1);
}

/**
 * Ends this process when the npm or the launcher that started it was killed and could pass on no signal: without it a
 * server would keep running, and hold its port, after its command is gone.
 */
export function stopWithParent() {
  if (!process.env.npm_lifecycle_event && !process.env.COUNTERSIGN_LAUNCHED) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

/** The programs that run now. @type {Set<Promise<unknown>>} */
const running = new Set();

/**
 * Ends this process after a signal, once every program that it started has ended.
 * @param {number} code that of a program which the signal ended
 * @returns {Promise<never>}
 */
export async function exitAfterSignal(code) {
  await Promise.allSettled(running);
  process.exit(code || 1);
}

/**
 * Runs a program to its end and passes on to it every signal that would end this process. A program ended by a signal
 * has the exit code that shells give it: 128 + the signal's number.
 * @param {string} command
 * @param {string[]} args
 * @param {Pick<import('node:child_process').SpawnOptions, 'stdio' | 'env' | 'shell'>} [options]
 * @returns {Promise<{ code: number, output: string, interrupted: boolean }>} output: what went to pipes
 */
export function run(command, args, options = {}) {
  /** @type {ReturnType<typeof run>} */
  const ended = new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));

    let interrupted = false;
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      interrupted = true;
      child.kill(signal);
    };
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const done = () => {
      for (const signal of signals) process.off(signal, pass);
    };

    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code, signal) => {
      done();
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), output, interrupted });
    });
  });
  running.add(ended);
  return ended.finally(() => running.delete(ended));
}

/**
 * Runs a script on this Node. A signal ends the whole run, not only the script.
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 * @returns {Promise<number>} the exit code
 */
export async function runNode(args, options) {
  const { code, interrupted } = await run(process.execPath, args, options);
  if (interrupted) await exitAfterSignal(code);
  return code;
}

/**
 * Runs npm without questions and collects its output.
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runNpm(args) {
  // The npm that started this process, if one did: the PATH may name another one, or none.
  const started = process.env.npm_execpath ?? '';
  const ours = started.endsWith('npm-cli.js');
  const [command, before] = ours ? [process.execPath, [started]] : ['npm', []];
  return runInstaller(command, [...before, ...args], { shell: !ours && process.platform === 'win32' }).catch(() =>
    fail('npm is not on the PATH. It comes with Node.'),
  );
}

/**
 * Runs npm or pnpm without prompts and collects its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runInstaller(command, args, options) {
  const result = await run(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // Without a network npm's defaults retry in silence for over a minute.
      npm_config_fetch_retry_mintimeout: '1000',
      npm_config_fetch_retry_maxtimeout: '5000',
      ...process.env,
      // `npm run -s` would hide the reason of a failure.
      npm_config_loglevel: 'error',
    },
    ...options,
  });
  if (result.interrupted) await exitAfterSignal(result.code);
  return result;
}

/**
 * Ends this process with one line if the registry cannot be reached, else with npm's whole output.
 * @param {string} what
 * @param {string} output
 * @returns {never}
 */
export function failedToFetch(what, output) {
  // npm prints the system's error, pnpm its own. The last lines tell why it ended; the lines before are retries.
  const unreachable =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|E(SOCKET)?TIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b|error sending request/;
  if (unreachable.test(output.slice(-3000))) {
    fail(`${what} failed: the npm registry cannot be reached. Check the network and npm's registry setting.`);
  }
  process.stderr.write(output);
  fail(`${what} failed, see above`);
}
