// Node itself: where this one is too old, the launcher installs a newer one from npm.
import { delimiter, dirname, join } from 'node:path';
import { fetchProgram, isMissingHere } from './fetched-program.mjs';
import { fail, failedToFetch, run, say } from './process.mjs';

/** The oldest Node that better-sqlite3's prebuilt binary runs on: older ones crash when it opens a database. */
const oldest = { major: 22, minor: 14 };
/** The current release of the line this project is made for. */
const bundled = '24.21.0';

/** @param {string} version such as 22.14.0 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}

/**
 * Runs the given script with a Node that is new enough.
 * @param {string[]} args
 * @param {() => Promise<unknown>} beside starts while that Node is installed, if it has to be
 * @returns {Promise<number>} its exit code
 */
export async function rerunWithNewerNode(args, beside) {
  const node = await newerNode(beside);
  // Otherwise, each launcher would start another one, endlessly.
  if (process.env.COUNTERSIGN_LAUNCHED === String(process.ppid)) {
    fail(`${node} is Node ${process.versions.node}, not ${bundled}. Delete it, and run this command again.`);
  }
  const { code } = await run(node, [...process.execArgv, ...args], {
    env: {
      ...process.env,
      PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
      COUNTERSIGN_LAUNCHED: String(process.pid),
    },
  });
  return code;
}

/**
 * @param {() => Promise<unknown>} beside
 * @returns {Promise<string>} the path of the binary, installed on first use
 */
async function newerNode(beside) {
  const program = { ...nodeFor(process.platform, process.arch), version: bundled };
  /** @type {Promise<unknown> | undefined} */
  let running;
  const { path, failure } = await fetchProgram(program, () => {
    say(`using bundled Node ${bundled} (this machine has ${process.versions.node}, which is too old)`);
    running = beside();
  });
  await running;
  if (failure === undefined) return path;
  if (!isMissingHere(failure)) failedToFetch(`installing Node ${bundled}`, failure);
  fail(
    `Node ${process.versions.node} is too old. Install Node 24 (${oldest.major}.${oldest.minor} or newer works too).`,
  );
}

/**
 * Returns the npm package that has Node for a machine, and the file of Node in it. There is none for musl, and the one
 * for glibc does not start there.
 * @param {NodeJS.Platform} platform
 * @param {string} arch
 */
export function nodeFor(platform, arch) {
  const isWindows = platform === 'win32';
  return {
    name: `node-${isWindows ? 'win' : platform}-${arch}`,
    file: join('bin', isWindows ? 'node.exe' : 'node'),
  };
}
