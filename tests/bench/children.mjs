// Child processes of a benchmark. All are killed when it exits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])) {
  process.once(signal, () => process.exit(code));
}

/**
 * Starts a program on this Node. It inherits no environment variables, so that measurements do not depend on the
 * machine or the test runner.
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, stdio: import('node:child_process').StdioOptions }} options
 */
export function start(args, { env = {}, stdio }) {
  const child = spawn(process.execPath, [...args], { env, stdio, serialization: 'advanced' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Sends the signal to a process and waits for its exit.
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
