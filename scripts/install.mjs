// Installs the dependencies, exactly as the lockfile names them: all of them, or the few that serving needs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNPM, runPnpm } from './pnpm.mjs';
import { failedToFetch, root, say } from './process.mjs';
import { withLock } from './process-lock.mjs';

const modules = join(root, 'node_modules');
/**
 * What can be installed. A stamp contains the state that node_modules was installed for. It is inside node_modules, so that deleting
 * node_modules deletes it.
 */
const EXTENTS = {
  /** The `dependencies` of the repository and of apps/server, and their dependencies. */
  serving: {
    stamp: join(modules, '.countersign-serving'),
    // Without `--trust-lockfile`, pnpm fetches the release dates of all 970 packages in the lockfile, which is more data than the
    // packages that it installs. A full install checks them, so a change of the lockfile is checked where it is made and in CI.
    options: ['--prod', '--filter-prod', '@countersign/server...', '--trust-lockfile'],
  },
  full: { stamp: join(modules, '.countersign-installed'), options: [] },
};

/**
 * Installs what is missing. Does nothing, and needs no network, if nothing changed since the last install. A full install includes
 * what serving needs. After one, everything is kept up to date, because an install for serving would remove the rest.
 * @param {keyof typeof EXTENTS} wanted
 */
export async function installDependencies(wanted) {
  const state = dependencyState();
  const suffices = () => isInstalled('full', state) || isInstalled(wanted, state);
  if (suffices()) return;
  mkdirSync(modules, { recursive: true });
  const sayThatItWaits = () => say('waiting for another command that installs dependencies …');
  await withLock(join(modules, '.countersign-install-lock'), sayThatItWaits, async () => {
    // Another command may have installed them.
    if (!suffices()) await install(hasBegunInFull() ? 'full' : wanted, state);
  });
}

/** Whether a full install has begun, here or by pnpm itself, which leaves no stamp. */
function hasBegunInFull() {
  if (existsSync(EXTENTS.full.stamp)) return true;
  const record = join(modules, '.modules.yaml');
  return existsSync(record) && /\bdevDependencies"?: *true\b/.test(readFileSync(record, 'utf8'));
}

/**
 * @param {keyof typeof EXTENTS} extent
 * @param {string} state
 */
function isInstalled(extent, state) {
  const { stamp } = EXTENTS[extent];
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === state;
}

/**
 * @param {keyof typeof EXTENTS} extent
 * @param {string} state
 */
async function install(extent, state) {
  say('installing dependencies …');
  // An interrupted install must not look complete. An empty stamp says that a full one has begun. A full install for the same state
  // only adds to what serving needs, so that stamp stays valid: servers continue and can start meanwhile.
  if (!isInstalled('serving', state)) rmSync(EXTENTS.serving.stamp, { force: true });
  if (extent === 'full') writeFileSync(EXTENTS.full.stamp, '');
  const { code, output } = await runPnpm(['install', '--frozen-lockfile', ...EXTENTS[extent].options]);
  if (code !== 0) failedToFetch('installing dependencies', output);
  writeFileSync(EXTENTS[extent].stamp, state);
}

/** A hash of everything an install depends on: manifests, lockfile, and Node's binary interface. */
export function dependencyState() {
  const hash = createHash('sha256').update(
    JSON.stringify([PNPM, process.versions.modules, process.platform, process.arch]),
  );
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function manifests() {
  const grouped = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .sort()
      .map((name) => join(group, name)),
  );
  return ['.', ...grouped, 'tests']
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(join(root, file)));
}
