// Node itself: where this one is too old, the launcher installs a newer one from npm.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fail, failedToFetch, run, runNpm, say } from './process.mjs';

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
  const { code } = await run(node, [...process.execArgv, ...args], {
    env: {
      ...process.env,
      PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
      COUNTERSIGN_LAUNCHED: '1',
    },
  });
  return code;
}

/**
 * @param {() => Promise<unknown>} beside
 * @returns {Promise<string>} the path of the binary, installed on first use
 */
async function newerNode(beside) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const directory = join(cacheDirectory(), `${name}-${bundled}`);
  const binary = join('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const path = join(directory, binary);
  if (!existsSync(path)) await Promise.all([install(name, directory, binary), beside()]);
  return path;
}

/**
 * Installs into a folder of its own and renames it: an interrupted install leaves nothing that looks complete, and of
 * two installs at once the second uses what the first one installed.
 * @param {string} name
 * @param {string} directory
 * @param {string} binary the path within the directory
 */
async function install(name, directory, binary) {
  say(`using bundled Node ${bundled} (this machine has ${process.versions.node}, which is too old)`);
  mkdirSync(dirname(directory), { recursive: true });
  const partial = mkdtempSync(`${directory}-partial-`);
  process.once('exit', () => rmSync(partial, { recursive: true, force: true }));

  const spec = `${name}@${bundled}`;
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runNpm(['install', '--prefix', partial, ...options, spec]);
  if (code !== 0) {
    if (/\b(E404|ETARGET|EBADPLATFORM)\b/.test(output)) failTooOld();
    failedToFetch(`installing Node ${bundled}`, output);
  }
  // A system without glibc cannot start it.
  const started = await run(join(partial, binary), ['--version'], { stdio: 'ignore' }).catch(() => undefined);
  if (started?.code !== 0) failTooOld();
  try {
    renameSync(partial, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
  }
}

/** @returns {never} */
function failTooOld() {
  fail(
    `Node ${process.versions.node} is too old. Install Node 24 (${oldest.major}.${oldest.minor} or newer works too).`,
  );
}

/** The user's cache, outside node_modules, so that every clone uses the same Node. */
function cacheDirectory() {
  const home = homedir();
  const base =
    process.platform === 'win32'
      ? (process.env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : process.env.XDG_CACHE_HOME || join(home, '.cache');
  return join(base, 'countersign');
}
