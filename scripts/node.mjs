// Node itself: is this one new enough, and if not, a newer one from npm.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fail, failedToFetch, run, runNpm, say } from './process.mjs';

/** The oldest Node that better-sqlite3's prebuilt binary runs on: older ones crash at the first open. */
const oldest = { major: 22, minor: 14 };
/** What an older machine gets: the current release of the line the project is made for. */
const brought = '24.21.0';

/** @param {string} version such as 22.14.0 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}

/**
 * Runs the given script with a Node that is new enough.
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export async function rerunWithNewerNode(args) {
  const node = await newerNode();
  say(`Node ${process.versions.node} is too old, running on Node ${brought}`);
  // A system without glibc cannot start it.
  const started = await run(node, ['--version'], { stdio: 'ignore' }).catch(() => undefined);
  if (started?.code !== 0) failTooOld();
  const { code } = await run(node, [...process.execArgv, ...args], {
    env: {
      ...process.env,
      PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
      COUNTERSIGN_LAUNCHED: '1',
    },
  });
  return code;
}

/** @returns {Promise<string>} the path of the binary, installed on first use */
async function newerNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const directory = join(cacheDirectory(), `${name}-${brought}`);
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(directory, 'node_modules', name, 'bin', binary);
  if (!existsSync(path)) await install(name, directory);
  return path;
}

/**
 * Atomic: into a folder of its own, then renamed. An interrupted install leaves nothing that looks
 * complete, and of two at once one wins and the other uses what the winner brought.
 * @param {string} name
 * @param {string} directory
 */
async function install(name, directory) {
  say(`Node ${process.versions.node} is too old, fetching Node ${brought} (once) …`);
  mkdirSync(dirname(directory), { recursive: true });
  const partial = mkdtempSync(`${directory}-partial-`);
  process.once('exit', () => rmSync(partial, { recursive: true, force: true }));

  const spec = `${name}@${brought}`;
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runNpm(['install', '--prefix', partial, ...options, spec]);
  if (code !== 0) {
    if (/\b(E404|ETARGET|EBADPLATFORM)\b/.test(output)) failTooOld();
    failedToFetch(`fetching Node ${brought}`, output);
  }
  try {
    renameSync(partial, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
  }
}

/** @returns {never} */
function failTooOld() {
  fail(
    `Node ${process.versions.node} is too old. Please install Node 24 (or any from ${oldest.major}.${oldest.minor} on).`,
  );
}

/** The user's own, outside node_modules, so that a fresh clone finds what the last one brought. */
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
