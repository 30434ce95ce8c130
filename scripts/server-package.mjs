// @countersign/server as it is installed: the program in a few files, with migrations and assets beside it.
//
// Everything is in the bundle except `dependencies` of apps/server: libraries with a binary, and one that loads its files
// by country. So an install takes few packages, none of them ours, and a start reads few files.
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
import { bundleOptions, PROGRAMS, placeOfStarter, sourceState } from './server-bundle.mjs';

const app = join(root, 'apps', 'server');
const home = join(app, 'dist', 'bundle');
/** Holds the state of the sources that the bundle was made of. */
const stamp = join(home, '.state');

/** @typedef {{ name: string, version: string, license?: string, dependencies?: Record<string, string>, files?: string[] }} Manifest */

/**
 * Writes `apps/server/dist/bundle`, unless the sources are what they were at the last time.
 * @throws what esbuild throws: it has printed the errors
 * @throws Error if the bundle imports a library that apps/server does not declare in `dependencies`
 */
export async function buildServerPackage() {
  await buildFinder();
  const beside = [
    ...filesBeside().flatMap(({ path }) => filesIn(path)),
    ...licenceFiles().map(({ path }) => path),
  ];
  const state = sourceState([import.meta.filename, ...beside]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;

  const esbuild = await import('esbuild');
  const partial = `${home}-${process.pid}`;
  try {
    /** @type {Map<string, string>} file in the bundle → the library's file */
    const libraryFiles = new Map();
    const { metafile } = await esbuild.build({
      ...bundleOptions(partial, inPackage(libraryFiles)),
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
    copyFilesOfPackages(partial);
    for (const [name, file] of libraryFiles) cpSync(file, join(partial, 'files', name));
    writeFileSync(join(partial, 'THIRD-PARTY-LICENSES.txt'), licencesOf(metafile, [...libraryFiles.values()]));
    writeFileSync(join(partial, basename(stamp)), state);
    rmSync(home, { recursive: true, force: true });
    renameSync(partial, home);
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
  // A module of apps/server keeps its place, from where it finds its package.json.
  const placeOf = (/** @type {string} */ path) =>
    placeOfStarter(path, home) ?? (path.startsWith(app + sep) ? path : join(home, relative(root, path)));
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
        const outside = [...Object.keys(manifestIn(app).dependencies ?? {}), 'pg-native'];
        build.onResolve({ filter: new RegExp(`^(?:${outside.join('|')})$`) }, ({ path }) => ({
          path,
          external: true,
        }));
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
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
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

/** @param {import('esbuild').Metafile} metafile */
function refuseUndeclared(metafile) {
  const declared = Object.keys(manifestIn(app).dependencies ?? {});
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external === true).map(({ path }) => path),
  );
  const undeclared = imported.filter(
    (path) => !isBuiltin(path) && !declared.includes(path) && path !== 'pg-native',
  );
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
