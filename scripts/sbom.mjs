// The list of components of a release (CycloneDX): our packages, and the libraries that come with them.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { publishedPackages } from './pack.mjs';
import { runPnpm } from './pnpm.mjs';
import { root } from './process.mjs';
import { PACKAGE } from './server-package.mjs';

/**
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {string} [type]
 * @property {string} [group]
 * @property {string} name
 * @property {string} version
 * @property {string} [purl]
 * @property {object[]} [licenses]
 */
/** @typedef {{ ref: string, dependsOn: string[] }} Dependency */
/** @typedef {{ metadata: { component: Component }, components: Component[], dependencies?: Dependency[] }} Sbom */
/**
 * A package as it is installed.
 * @typedef {object} Installed
 * @property {string} name
 * @property {string} version
 * @property {string} [license] SPDX expression
 * @property {string[]} needs titles of its dependencies
 * @property {boolean} isOurs
 */

const PROGRAM = '@countersign/server';

/**
 * Lists our packages, the libraries that an installation of them brings, and those that are part of the packed program, with licences.
 * @returns {Promise<Sbom>}
 * @throws Error if pnpm fails, or if it does not know one of these libraries
 */
export async function listComponents() {
  const bundled = librariesIn(readFileSync(join(PACKAGE, 'dist', 'bundle', 'THIRD-PARTY-LICENSES.txt'), 'utf8'));
  return composed(await sbomOfTree(), installedWith(publishedPackages()), bundled);
}

/**
 * Returns the libraries of the program: `pino 10.4.0`.
 * @param {string} licences
 */
export function librariesIn(licences) {
  return new Set([...licences.matchAll(/^(\S+ \d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(([, title = '']) => title));
}

/**
 * Takes from the list of the whole tree what is installed or part of the program, and adds our packages.
 * @param {Sbom} tree
 * @param {ReadonlyMap<string, Installed>} installed title → package
 * @param {ReadonlySet<string>} bundled titles
 * @returns {Sbom}
 * @throws Error if the list of the tree lacks a library
 */
export function composed(tree, installed, bundled) {
  const ours = [...installed.values()].filter(({ isOurs }) => isOurs).map(componentOf);
  const wanted = new Set([...[...installed.keys()].filter((title) => !installed.get(title)?.isOurs), ...bundled]);
  const libraries = tree.components.filter((component) => wanted.has(titleOf(component)));
  const refs = new Map([...libraries, ...ours].map((component) => [titleOf(component), component['bom-ref']]));
  const missing = [...wanted].filter((title) => !refs.has(title));
  if (missing.length > 0) throw new Error(`the list of components lacks ${missing.join(', ')}`);

  const known = new Set(refs.values());
  const ofTree = new Map((tree.dependencies ?? []).map(({ ref, dependsOn }) => [ref, dependsOn]));
  const dependencies = [...refs].map(([title, ref]) => {
    const { name = '', needs } = installed.get(title) ?? {};
    const titles = [...(needs ?? []), ...(name === PROGRAM ? bundled : [])];
    const others = needs === undefined ? (ofTree.get(ref) ?? []) : titles.map((other) => refs.get(other) ?? '');
    return { ref, dependsOn: [...new Set(others.filter((other) => known.has(other)))] };
  });
  const ourRefs = { ref: tree.metadata.component['bom-ref'], dependsOn: ours.map((each) => each['bom-ref']) };
  return { ...tree, components: [...ours, ...libraries], dependencies: [ourRefs, ...dependencies] };
}

/**
 * Returns packages of this repository with everything that their installation brings: no optional peers, no tools.
 * @param {readonly { name: string }[]} packages
 * @returns {Map<string, Installed>} by title
 * @throws Error if a dependency is not installed, and not optional
 */
function installedWith(packages) {
  /** @type {Map<string, Installed>} */
  const found = new Map();
  /** @param {string} folder @param {boolean} isOurs @returns {string} the title */
  const visit = (folder, isOurs) => {
    const manifest = manifestIn(folder);
    const { name, version, license, dependencies = {}, optionalDependencies = {} } = manifest;
    const title = `${name} ${version}`;
    if (found.has(title)) return title;
    /** @type {string[]} */
    const needs = [];
    found.set(title, { name, version, needs, isOurs, ...(license === undefined ? {} : { license }) });
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = folderOf(other, folder);
      if (place !== undefined) needs.push(visit(place, !place.includes('node_modules')));
      else if (!(other in optionalDependencies)) throw new Error(`${other} is not installed for ${title}`);
    }
    return title;
  };
  for (const { name } of packages) {
    visit(name === PROGRAM ? PACKAGE : join(root, 'packages', name.slice(name.indexOf('/') + 1)), true);
  }
  return found;
}

/**
 * Finds a package as Node does.
 * @param {string} name
 * @param {string} from a folder
 * @returns {string | undefined}
 */
function folderOf(name, from) {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
  return dirname(from) === from ? undefined : folderOf(name, dirname(from));
}

/** @param {string} folder */
function manifestIn(folder) {
  return /** @type {{ name: string, version: string, license?: string, dependencies?: object, optionalDependencies?: object }} */ (
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  );
}

/** @param {Installed} installed @returns {Component} */
function componentOf({ name, version, license }) {
  const [group = '', bare = ''] = name.split('/');
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license === undefined ? [] : [{ license: { id: license } }];
  const type = name === PROGRAM ? 'application' : 'library';
  return { type, 'bom-ref': purl, group, name: bare, version, purl, licenses };
}

/** @param {Component} component */
function titleOf({ group, name, version }) {
  return `${group === undefined ? '' : `${group}/`}${name} ${version}`;
}

/** @returns {Promise<Sbom>} with tools */
async function sbomOfTree() {
  const format = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  const selected = publishedPackages().flatMap(({ name }) => ['--filter', name]);
  const { code, output } = await runPnpm(['--dir', root, ...format, ...selected]);
  if (code !== 0) throw new Error(`pnpm sbom failed:\n${output}`);
  // npm and pnpm may warn before it.
  return /** @type {Sbom} */ (JSON.parse(output.slice(output.indexOf('{\n'))));
}
