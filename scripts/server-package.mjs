// @countersign/server as it is installed: the program in a few files, with migrations and assets beside it.
//
// The bundle contains all libraries that it can. So an install takes few packages, none of them ours, and a start reads few files.
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { buildFinder } from './finder-bundle.mjs';
import { root } from './process.mjs';
import { bundleOptions, filesIn, PROGRAMS, placeOfStarter, sourceState } from './server-bundle.mjs';

const app = join(root, 'apps', 'server');
/** The folder that is packed. */
export const PACKAGE = join(app, 'dist', 'package');
const home = join(PACKAGE, 'dist', 'bundle');
/** The dependencies of the package: libraries with a binary, and one that loads its files by country. */
const OUTSIDE = ['better-sqlite3', 'sharp', 'stdnum'];
/** Packed as they are. */
const COPIED = ['README.md', 'bin'];
/** Holds the state of the sources that the bundle was made of. */
const stamp = join(home, '.state');

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} [license]
 * @property {string[]} [files]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [publishConfig]
 */

/**
 * Writes `apps/server/dist/package`, unless the sources are what they were at the last time.
 * @throws what esbuild throws: it has printed the errors
 * @throws Error if the bundle imports a library that would not be installed
 */
export async function buildServerPackage() {
  await buildFinder();
  const beside = [
    ...filesBeside().flatMap(({ path }) => filesAt(path)),
    ...licenceFiles().map(({ path }) => path),
    ...COPIED.flatMap((name) => filesAt(join(app, name))),
  ];
  const state = sourceState([import.meta.filename, ...beside]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;

  const esbuild = await import('esbuild');
  const partial = `${PACKAGE}-${process.pid}`;
  const bundle = join(partial, relative(PACKAGE, home));
  try {
    /** @type {Map<string, string>} file in the bundle → the library's file */
    const libraryFiles = new Map();
    const { metafile } = await esbuild.build({
      ...bundleOptions(bundle, inPackage(libraryFiles)),
      entryPoints: {
        'server/compile-cache': 'apps/server/src/config/compile-cache.ts',
        'server/main': 'apps/server/src/main.ts',
        ...Object.fromEntries(PROGRAMS.map(({ name, source }) => [name, source])),
      },
      // One folder deep, as the entry points are: `urlOf` counts on it.
      chunkNames: 'chunks/[name]-[hash]',
      metafile: true,
    });
    refuseUndeclared(metafile);
    copyFilesOfPackages(bundle);
    for (const [name, file] of libraryFiles) cpSync(file, join(bundle, 'files', name));
    writeFileSync(join(bundle, 'THIRD-PARTY-LICENSES.txt'), licencesOf(metafile, [...libraryFiles.values()]));
    writeFileSync(join(bundle, basename(stamp)), state);
    for (const name of COPIED) cpSync(join(app, name), join(partial, name), { recursive: true });
    writeFileSync(join(partial, 'package.json'), `${JSON.stringify(packedManifest(), null, 2)}\n`);
    rmSync(PACKAGE, { recursive: true, force: true });
    renameSync(partial, PACKAGE);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * The bundle runs where it is installed: files of our packages are in `packages/<name>`, files of libraries in `files`.
 * @param {Map<string, string>} libraryFiles receives the files of libraries that the sources look for
 * @returns {import('./server-bundle.mjs').Surroundings}
 */
function inPackage(libraryFiles) {
  // A module of apps/server keeps its place in its package, from where it finds package.json.
  const placeOf = (/** @type {string} */ path) =>
    placeOfStarter(path, home) ??
    (path.startsWith(app + sep) ? join(PACKAGE, relative(app, path)) : join(home, relative(root, path)));
  return {
    urlOf(path) {
      const fromFile = relative(join(home, 'chunks'), placeOf(path)).replace(/\.tsx?$/, '.js');
      return `new URL(${JSON.stringify(fromFile.replaceAll(sep, '/'))}, import.meta.url).href`;
    },
    rewrite: (text, path) =>
      text.replaceAll(/\.resolve\('((?:@[\w-]+\/)?[\w.-]+\/[^']+)'\)/g, (_, /** @type {string} */ specifier) => {
        const file = createRequire(path).resolve(specifier);
        libraryFiles.set(basename(file), file);
        const copy = relative(dirname(placeOf(path)), join(home, 'files', basename(file)));
        return `.resolve('./${copy.replaceAll(sep, '/')}')`;
      }),
    libraries: {
      name: 'installed-libraries',
      setup(build) {
        const filter = new RegExp(`^(?:${OUTSIDE.join('|')})$`);
        build.onResolve({ filter }, ({ path }) => ({ path, external: true }));
      },
    },
  };
}

/** Lists what packages publish beside their code: migrations, assets. A place is a file or a folder, relative to the repository. */
function filesBeside() {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = join('packages', name);
    const { files = [] } = manifestIn(join(root, folder));
    const beside = files.filter((file) => !/^(?:dist|src|!)/.test(file));
    return beside.map((file) => ({ place: join(folder, file), path: join(root, folder, file) }));
  });
}

/** Lists the licences of third-party work that our packages and the server contain, and that no library declares. */
function licenceFiles() {
  const places = globSync('{packages/*,apps/server}/*-LICENSE', { cwd: root });
  return places.map((place) => ({ place: place.replaceAll(sep, '/'), path: join(root, place) }));
}

/** @param {string} path of a file or a folder */
function filesAt(path) {
  return statSync(path).isDirectory() ? filesIn(path) : [path];
}

/** @param {string} bundle */
function copyFilesOfPackages(bundle) {
  for (const { place, path } of filesBeside()) {
    cpSync(path, join(bundle, place), {
      recursive: true,
      // Only the tool that writes migrations reads them.
      filter: (source) => !source.endsWith('_snapshot.json'),
    });
  }
}

/** Returns the manifest of apps/server with only the dependencies that are not in the bundle. Packing replaces `catalog:` by versions. */
function packedManifest() {
  const { devDependencies, scripts, publishConfig, dependencies = {}, ...manifest } = manifestIn(app);
  const { directory, ...publishing } = publishConfig ?? {};
  const outside = Object.entries(dependencies).filter(([name]) => OUTSIDE.includes(name));
  return { ...manifest, publishConfig: publishing, dependencies: Object.fromEntries(outside) };
}

/** @param {import('esbuild').Metafile} metafile */
function refuseUndeclared(metafile) {
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true).map(({ path }) => path),
  );
  const undeclared = imported.filter((path) => !isBuiltin(path) && !OUTSIDE.includes(path));
  if (undeclared.length > 0) throw new Error(`the server's package lacks ${[...new Set(undeclared)].join(', ')}`);
}

/**
 * Returns the licences of the libraries in the bundle, and of third-party work that our packages or a library copied into their files, such as
 * icons. Most licences ask for their text in every copy.
 * @param {import('esbuild').Metafile} metafile
 * @param {string[]} files
 */
function licencesOf(metafile, files) {
  const inputs = [...Object.keys(metafile.inputs).map((file) => join(root, file)), ...files];
  /** @type {Map<string, string>} name and version → text */
  const texts = new Map();
  for (const file of inputs) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll(sep, '/'))?.[0];
    if (folder === undefined) continue;
    const { name, version, license = 'see its package' } = manifestIn(folder);
    const licence = readdirSync(folder).find((entry) => /^(?:licence|license)(?:\.|$)/i.test(entry));
    const text = licence === undefined ? '' : `\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`;
    texts.set(`${name} ${version} (${license})`, text);
  }
  for (const { place, path } of licenceFiles()) {
    texts.set(place, `\n${readFileSync(path, 'utf8').trim()}\n`);
  }
  return [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, text]) => `${title}\n${text}`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * @param {string} folder
 * @returns {Manifest}
 */
function manifestIn(folder) {
  return /** @type {Manifest} */ (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}
