// The list of components of a release (CycloneDX).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNPM } from './install.mjs';
import { publishedPackages } from './pack.mjs';
import { root, runNpm } from './process.mjs';

/** @typedef {{ 'bom-ref': string, group?: string, name: string, version: string }} Component */
/** @typedef {{ components: Component[], dependencies?: { ref: string, dependsOn?: string[] }[] }} Sbom */

const PACKED_PROGRAM = join(root, 'apps', 'server', 'dist', 'bundle');

/**
 * Lists the libraries that our packages depend on and those that are part of the packed program, with licences and hashes.
 * @returns {Promise<Sbom>}
 * @throws Error if pnpm fails, or if it does not know a library of the program
 */
export async function listComponents() {
  const [installed, all] = [await sbomOf('--prod'), await sbomOf()];
  const bundled = librariesIn(readFileSync(join(PACKED_PROGRAM, 'THIRD-PARTY-LICENSES.txt'), 'utf8'));
  return withOnly(all, new Set(installed.components.map((component) => component['bom-ref'])), bundled);
}

/**
 * Returns the libraries of the program: `pino 10.4.0`.
 * @param {string} licences
 */
export function librariesIn(licences) {
  return new Set([...licences.matchAll(/^(\S+ \d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(([, title = '']) => title));
}

/**
 * Leaves out components that are neither installed nor part of the program.
 * @param {Sbom} sbom
 * @param {ReadonlySet<string>} installed references
 * @param {ReadonlySet<string>} bundled names with versions
 * @returns {Sbom}
 */
export function withOnly(sbom, installed, bundled) {
  const components = sbom.components.filter(
    (component) => installed.has(component['bom-ref']) || bundled.has(titleOf(component)),
  );
  const titles = new Set(components.map(titleOf));
  const missing = [...bundled].filter((title) => !titles.has(title));
  if (missing.length > 0) throw new Error(`the list of components lacks ${missing.join(', ')}`);
  const kept = new Set(components.map((component) => component['bom-ref']));
  const dependencies = (sbom.dependencies ?? [])
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  return { ...sbom, components, dependencies };
}

/** @param {Component} component */
function titleOf({ group, name, version }) {
  return `${group === undefined ? '' : `${group}/`}${name} ${version}`;
}

/** @param {string[]} options @returns {Promise<Sbom>} */
async function sbomOf(...options) {
  const pnpm = ['exec', '--yes', '--prefer-offline', `--package=${PNPM}`, '--', 'pnpm', '--dir', root];
  const format = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', ...options];
  const selected = publishedPackages().flatMap(({ name }) => ['--filter', name]);
  const { code, output } = await runNpm([...pnpm, ...format, ...selected]);
  if (code !== 0) throw new Error(`pnpm sbom failed:\n${output}`);
  // npm and pnpm may warn before it.
  return /** @type {Sbom} */ (JSON.parse(output.slice(output.indexOf('{\n'))));
}
