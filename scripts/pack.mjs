// npm run pack: every published package as a tarball, and the server as a program to install.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackages } from './build-packages.mjs';
import { runPnpm } from './pnpm.mjs';
import { root } from './process.mjs';
import { buildServerPackage } from './server-package.mjs';

const PROGRAM = '@countersign/server';

/**
 * Builds the published packages and writes their tarballs.
 * @param {string} folder created if it is missing
 * @param {string[]} [names] default: all of them
 * @returns {Promise<Map<string, string>>} name of the package → path of its tarball
 * @throws Error if a build or pnpm fails
 */
export async function pack(folder, names) {
  const packages = publishedPackages().filter(({ name }) => names?.includes(name) ?? true);
  if (packages.some(({ name }) => name !== PROGRAM)) await buildPackages();
  if (packages.some(({ name }) => name === PROGRAM)) await buildServerPackage();
  mkdirSync(folder, { recursive: true });
  const selected = packages.flatMap(({ name }) => ['--filter', name]);
  // Without the packages' own `prepack`, which would build each of them again.
  const options = ['--pack-destination', folder, '--config.ignore-scripts=true'];
  const { code, output } = await runPnpm(['--dir', root, '--recursive', ...selected, 'pack', ...options]);
  if (code !== 0) throw new Error(`pnpm pack failed:\n${output}`);
  return new Map(
    packages.map(({ name, version }) => [name, join(folder, `${name.slice(1).replace('/', '-')}-${version}.tgz`)]),
  );
}

/** @typedef {{ name: string, version: string, private?: boolean }} Manifest */

export function publishedPackages() {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, 'package.json')))
    .map((file) => /** @type {Manifest} */ (JSON.parse(readFileSync(file, 'utf8'))))
    .filter((manifest) => manifest.private !== true);
}
