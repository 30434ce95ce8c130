// pnpm, which installs the dependencies.
import { fetchProgram } from './fetched-program.mjs';
import { failedToFetch, runInstaller } from './process.mjs';

const VERSION = '12.21.0';
export const PNPM = `pnpm@${VERSION}`;

/**
 * Runs pnpm, which npm fetches on first use.
 * @param {readonly string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runPnpm(args) {
  const { path, failure } = await fetchPnpm();
  if (failure !== undefined) failedToFetch(`installing ${PNPM}`, failure);
  return runInstaller(path, [...args]);
}

/**
 * Fetches the package with the program for this machine. The package `pnpm` itself takes twice as long: npm asks for the packages of
 * all platforms, and runs install scripts that copy the program.
 */
export function fetchPnpm() {
  return fetchProgram({ ...pnpmFor(process.platform, process.arch, hasGlibc), version: VERSION });
}

/**
 * Returns the npm package that has pnpm's program for a machine, and the file of the program in it.
 * @param {NodeJS.Platform} platform
 * @param {string} arch
 * @param {() => boolean} isGlibc asked on Linux only
 */
export function pnpmFor(platform, arch, isGlibc) {
  const musl = platform === 'linux' && !isGlibc() ? '-musl' : '';
  return { name: `@pnpm/exe.${platform}-${arch}${musl}`, file: platform === 'win32' ? 'pnpm.exe' : 'pnpm' };
}

function hasGlibc() {
  // Otherwise the report would look up the host names of all connections.
  Object.assign(process.report, { excludeNetwork: true });
  /** @type {{ header?: { glibcVersionRuntime?: string } }} */
  const { header } = process.report.getReport();
  return header?.glibcVersionRuntime !== undefined;
}
