import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An installed package. */
export interface Dependency {
  readonly name: string;
  /** Whether an install runs a script of it: one that it names, or node-gyp, because it has a `binding.gyp`. */
  readonly runsScripts: boolean;
  /** Whether it contains compiled code for one platform. */
  readonly hasBinary: boolean;
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly gypfile?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * Lists packages and all that they depend on in production.
 * @param folder with `node_modules`
 * @throws Error if one of them is not installed, and not optional
 */
export function dependenciesOf(folder: string, names: readonly string[]): readonly Dependency[] {
  const found = new Map<string, Dependency>();
  const waiting = names.map((name) => folderOf(name, folder) ?? missing(name));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (found.has(place)) continue;
    const { scripts = {}, gypfile, dependencies = {}, optionalDependencies = {} } = manifestIn(place);
    const builds = gypfile !== false && existsSync(join(place, 'binding.gyp'));
    found.set(place, {
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      runsScripts: builds || INSTALL_SCRIPTS.some((script) => script in scripts),
      hasBinary: globSync('**/*.{node,so,so.*,dylib,dll}', { cwd: place, exclude: ['node_modules'] }).length > 0,
    });
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const dependency = folderOf(name, place);
      if (dependency !== undefined) waiting.push(dependency);
      else if (!(name in optionalDependencies)) missing(name);
    }
  }
  return [...found.values()];
}

/** Finds a package as Node does, from a folder upwards. */
function folderOf(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(from) === from ? undefined : folderOf(name, dirname(from));
}

function missing(name: string): never {
  throw new Error(`${name} is not installed`);
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
