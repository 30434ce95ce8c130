// Installs the dependencies, exactly as the lockfile names them: all of them, or the few that serving needs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNPM, runPnpm } from './pnpm.mjs';
import { fail, failedToFetch, root, say } from './process.mjs';
import { withLock } from './process-lock.mjs';
import { isAnyRunning, recordRunning } from './running-servers.mjs';

/**
 * What can be installed. A stamp contains the state that node_modules was installed for. It is inside node_modules, so that deleting
 * node_modules deletes it.
 */
const EXTENTS = {
  /** The `dependencies` of the repository and of apps/server, and their dependencies. */
  serving: {
    stamp: '.countersign-serving',
    // Without `--trust-lockfile`, pnpm fetches the release dates of all 970 packages in the lockfile, which is more data than the
    // packages that it installs. A full install checks them, so a change of the lockfile is checked where it is made and in CI.
    options: ['--prod', '--filter-prod', '@countersign/server...', '--trust-lockfile'],
  },
  full: { stamp: '.countersign-installed', options: [] },
};
/** @typedef {keyof typeof EXTENTS} Extent */

/** The verbs for which the dependencies of the server suffice. */
const SERVING = ['start', 'countersign'];

/**
 * Returns the extent of the install that a verb needs.
 * @param {string} verb
 * @returns {Extent}
 */
export function extentFor(verb) {
  return SERVING.includes(verb) ? 'serving' : 'full';
}

/**
 * Installs what is missing. Does nothing, and needs no network, if nothing changed since the last install. A full install includes
 * what serving needs. After one, everything is kept up to date, because an install for serving would remove the rest. Ends this process
 * if the install would change what a server or command that runs from this clone may still load.
 * @param {Extent} wanted
 * @param {{ clone?: string, pnpm?: typeof runPnpm }} [options] for tests: another clone, and a function in place of
 *   pnpm
 */
export async function installDependencies(wanted, { clone = root, pnpm = runPnpm } = {}) {
  const state = dependencyState(clone);
  const modules = join(clone, 'node_modules');
  const suffices = () => isInstalled(modules, 'full', state) || isInstalled(modules, wanted, state);
  if (suffices()) return;
  mkdirSync(modules, { recursive: true });
  const sayThatItWaits = () => say('waiting for another command that installs dependencies …');
  await withLock(join(modules, '.countersign-install-lock'), sayThatItWaits, async () => {
    // Another command may have installed them.
    if (suffices()) return;
    // If this state is installed for serving, a full install only adds to it.
    if (!isInstalled(modules, 'serving', state)) await refuseBesideServers(modules);
    await install(modules, hasBegunInFull(modules) ? 'full' : wanted, state, pnpm);
  });
}

/**
 * Protects the dependencies from installs that would change them, until this process ends.
 * @param {string} [clone]
 */
export function useDependencies(clone = root) {
  recordRunning(join(clone, 'node_modules'));
}

/** @param {string} modules */
async function refuseBesideServers(modules) {
  const sayThatItLooks = () => say('checking whether a server or command still runs from this clone …');
  if (!(await isAnyRunning(modules, sayThatItLooks))) return;
  fail(
    'A server or command runs from this clone and may still load the installed dependencies, but the lockfile, a manifest or Node has changed. Stop it and run this command again, or use another clone.',
  );
}

/**
 * Whether a full install has begun, here or by pnpm itself, which leaves no stamp.
 * @param {string} modules
 */
function hasBegunInFull(modules) {
  if (existsSync(join(modules, EXTENTS.full.stamp))) return true;
  const record = join(modules, '.modules.yaml');
  return existsSync(record) && /\bdevDependencies"?: *true\b/.test(readFileSync(record, 'utf8'));
}

/**
 * @param {string} modules
 * @param {Extent} extent
 * @param {string} state
 */
function isInstalled(modules, extent, state) {
  const stamp = join(modules, EXTENTS[extent].stamp);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
}

/**
 * @param {string} modules
 * @param {Extent} extent
 * @param {string} state
 * @param {typeof runPnpm} pnpm
 */
async function install(modules, extent, state, pnpm) {
  say('installing dependencies …');
  const { stamp, options } = EXTENTS[extent];
  // An interrupted install must not look complete. An empty stamp says that a full one has begun. A full install for the same state
  // only adds to what serving needs, so that stamp stays valid: servers continue and can start meanwhile.
  if (!isInstalled(modules, 'serving', state)) rmSync(join(modules, EXTENTS.serving.stamp), { force: true });
  if (extent === 'full') writeFileSync(join(modules, stamp), '');
  const { code, output } = await pnpm(['install', '--frozen-lockfile', ...options]);
  if (code !== 0) failedToFetch('installing dependencies', output);
  writeFileSync(join(modules, stamp), state);
}

/** A hash of everything an install depends on: manifests, lockfile, and Node's binary interface. */
export function dependencyState(clone = root) {
  const hash = createHash('sha256').update(
    JSON.stringify([PNPM, process.versions.modules, process.platform, process.arch]),
  );
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests(clone)]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(clone, file)));
  }
  return hash.digest('hex');
}

/** @param {string} clone */
function manifests(clone) {
  const grouped = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(clone, group))
      .sort()
      .map((name) => join(group, name)),
  );
  return ['.', ...grouped, 'tests']
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(join(clone, file)));
}
