// Installs the dependencies, exactly as the lockfile names them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failedToFetch, root, runNpm, say } from './process.mjs';

export const PNPM = 'pnpm@12.21.0';
/** Holds the state that node_modules was installed for. It stands inside, so that deleting node_modules deletes it. */
const stamp = join(root, 'node_modules', '.countersign-installed');

/** Installs what is missing. Does nothing, and needs no network, if nothing changed since the last install. */
export async function installDependencies() {
  const state = dependencyState();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;

  say('installing dependencies …');
  // An interrupted install must not look complete.
  rmSync(stamp, { force: true });
  const { code, output } = await runNpm([
    'exec',
    '--yes',
    '--prefer-offline',
    `--package=${PNPM}`,
    '--',
    'pnpm',
    'install',
    '--frozen-lockfile',
  ]);
  if (code !== 0) failedToFetch('installing dependencies', output);
  writeFileSync(stamp, state);
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
