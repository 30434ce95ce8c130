// Fetches the programs that the launcher needs before it can install the dependencies. They are npm packages in the user's cache,
// outside node_modules, so that every clone uses the same ones.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fail, root, run, runNpm } from './process.mjs';

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
 * @returns {Promise<{ path: string, failure?: string }>} the path of the program; `failure` says why it is missing
 */
export async function fetchProgram({ name, version, file }, onFetch = () => {}) {
  const folder = join(cacheFolder(), `${name.replace('/', '+')}-${version}`);
  const inFolder = join('node_modules', name, file);
  const path = join(folder, inFolder);
  if (existsSync(path)) return { path };
  onFetch();

  // Installed into a folder of its own and renamed: an interrupted install leaves nothing that looks complete, and of two installs
  // at the same time the second uses what the first one installed.
  const partial = makePartial(folder);
  process.once('exit', () => rmSync(partial, { recursive: true, force: true }));

  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  // npm reads the settings in the prefix, not those of the clone, such as its registry.
  const [settings, copy] = [join(root, '.npmrc'), join(partial, '.npmrc')];
  if (existsSync(settings)) copyFileSync(settings, copy);
  const { code, output } = await runNpm(['install', '--prefix', partial, ...options, `${name}@${version}`]);
  rmSync(copy, { force: true });
  if (code !== 0) return { path, failure: output };
  // A program for glibc does not start on a system without it, and the reverse.
  const started = await run(join(partial, inFolder), ['--version'], { stdio: 'ignore' }).catch(() => undefined);
  if (started?.code !== 0) return { path, failure: `EBADPLATFORM: ${name} does not start on this machine\n` };
  try {
    renameSync(partial, folder);
  } catch {
    // Another install was faster, or the existing folder is damaged.
    if (existsSync(path)) return { path };
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  }
  return { path };
}

/** Makes an empty folder beside another. @param {string} folder */
function makePartial(folder) {
  const cache = dirname(folder);
  try {
    mkdirSync(cache, { recursive: true });
    return mkdtempSync(`${folder}-partial-`);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return fail(
      `Cannot write to ${cache} (${code}). Make it writable: the launcher keeps pnpm there, and a newer Node if needed.`,
    );
  }
}

/** Whether the failure means that the program does not exist for this machine. @param {string} failure */
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
