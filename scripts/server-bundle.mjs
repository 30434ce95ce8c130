// The server as few files: what `npm start`, the command line and the tests run.
//
// Node needs 0.4 s of processor time to find and link the 650 modules of the shortest command, and 0.15 s for the same
// code in a dozen files (measured on Node 24.21). Published packages and production trees are built by tsc instead.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildFinder } from './finder-bundle.mjs';
import { dependencyState } from './install.mjs';
import { root } from './process.mjs';

/** One folder for each state of the sources. A running server loads its pages from its own, also after the next build. */
const bundles = join(root, 'node_modules', '.cache', 'server');
/** How many of them are kept, for servers that still run from an older one. */
const KEPT = 20;

/** Programs beside the server, one folder deep as chunks are, and where the module that starts each of them stands in the bundle. */
export const PROGRAMS = [
  {
    name: 'decoder/main',
    source: 'packages/evidence/src/decoder/main.ts',
    startedBy: 'packages/evidence/src/intake/decoder-process.ts',
    place: 'intake/decoder-process.js',
  },
  {
    name: 'program/barcode',
    source: 'apps/server/src/document-reader/program/barcode.ts',
    startedBy: 'apps/server/src/document-reader/reader-process.ts',
    place: 'reader-process.js',
  },
  {
    name: 'program/main',
    source: 'apps/server/src/document-reader/program/main.ts',
    startedBy: 'apps/server/src/document-reader/reader-process.ts',
    place: 'reader-process.js',
  },
  {
    name: 'estimator/main',
    source: 'packages/accounts/src/estimator/main.ts',
    startedBy: 'packages/accounts/src/credentials/password-estimator.ts',
    place: 'credentials/password-estimator.js',
  },
  {
    name: 'reader/program',
    source: 'packages/storage-sqlite/src/reader/program.ts',
    startedBy: 'packages/storage-sqlite/src/reader/reader-thread.ts',
    place: 'reader/reader-thread.js',
  },
];

/**
 * Bundles the server, unless the sources are what they were at the last time.
 * @returns {Promise<string>} the path of the program
 * @throws what esbuild throws: it has printed the errors
 */
export async function buildServer() {
  await mkdir(bundles, { recursive: true });
  await buildFinder();
  const folder = join(bundles, sourceState());
  const program = join(folder, 'main.js');
  if (existsSync(program)) return program;

  // Complete before it has its name: an interrupted build leaves nothing to start, and of two at once both succeed.
  const partial = mkdtempSync(join(bundles, 'partial-'));
  try {
    const esbuild = await import('esbuild');
    await esbuild.build(bundleOptions(partial, inCheckout(folder)));
    // Without it, Node parses each file as CommonJS first.
    writeFileSync(join(partial, 'package.json'), '{ "type": "module" }\n');
    try {
      renameSync(partial, folder);
    } catch (error) {
      if (!existsSync(program)) throw error;
    }
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  removeOldBundles();
  return program;
}

/**
 * How the bundle finds what stays outside it.
 * @typedef {object} Surroundings
 * @property {(path: string) => string} urlOf the expression that stands for `import.meta.url` in a source file
 * @property {(text: string, path: string) => string} [rewrite] changes the text of such a file
 * @property {import('esbuild').Plugin} libraries leaves libraries with a binary outside
 */

/**
 * The options of esbuild.
 * @param {string} outdir where the files are written
 * @param {Surroundings} [surroundings]
 * @returns {import('esbuild').BuildOptions}
 */
export function bundleOptions(outdir, surroundings = inCheckout(outdir)) {
  return {
    absWorkingDir: root,
    entryPoints: {
      main: 'apps/server/src/main.ts',
      // For tests, which run commands without a process of their own.
      'command-line': 'apps/server/src/commands/command-line.ts',
      ...Object.fromEntries(PROGRAMS.map(({ name, source }) => [name, source])),
    },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.14',
    // As modules where a library has both forms: what `import()` loads of a CommonJS one has no named exports here. esbuild adds
    // the condition `module` only if there are no others.
    conditions: ['source', 'module'],
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    plugins: [ownPlaces(surroundings), surroundings.libraries, reflectFirst, untracedLibraries, modulesOfNode],
    // For the libraries written for `require`.
    banner: {
      js: `import { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);`,
    },
  };
}

/**
 * The bundle runs in the checkout: packages find their files and libraries where they are in the source.
 * @param {string} home where the bundle runs
 * @returns {Surroundings}
 */
function inCheckout(home) {
  return {
    urlOf: (path) => JSON.stringify(pathToFileURL(placeOfStarter(path, home) ?? path).href),
    libraries: nativeLibraries,
  };
}

/**
 * Returns where a module that starts a program has to be, so that it finds the program in the bundle.
 * @param {string} path of the source file
 * @param {string} home folder of the bundle
 * @returns {string | undefined} undefined for every other module
 */
export function placeOfStarter(path, home) {
  const program = PROGRAMS.find(({ startedBy }) => startedBy === relative(root, path));
  return program === undefined ? undefined : join(home, program.place);
}

/**
 * Sets `import.meta.url`, because packages find their files by it: migrations, assets.
 * @param {Surroundings} surroundings
 * @returns {import('esbuild').Plugin}
 */
function ownPlaces({ urlOf, rewrite = (text) => text }) {
  return {
    name: 'own-places',
    setup(build) {
      const files = sourceFiles().filter((file) => readFileSync(file, 'utf8').includes('import.meta.url'));
      // Only those: each file that esbuild has to ask for makes a rebuild slower.
      const filter = new RegExp(
        `^(?:${files.map((file) => file.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`,
      );
      build.onLoad({ filter }, async ({ path }) => {
        const text = rewrite(await readFile(path, 'utf8'), path);
        const contents = importsOf(text)
          // Loaded by `require` so that Node reads fewer files; here they become part of the bundle.
          .replace(
            /^const require = createRequire\(import\.meta\.url\);$/m,
            bundlesWhatItRequires(text) ? '' : '$&',
          )
          .replaceAll('import.meta.url', urlOf(path));
        return { contents, loader: 'ts' };
      });
    },
  };
}

/**
 * Imports what a module requires at its top level and takes apart: of imports, esbuild leaves out what is unused.
 * @param {string} text
 */
function importsOf(text) {
  const required = [...text.matchAll(/^const (\w+) =\s+require\('([^']+)'\) as [^;]+;$/gm)];
  let contents = text;
  for (const [statement, name, library] of required) {
    const parts = new RegExp(`^(export )?const (\\{[^}]+\\}) =\\s+${name};$`, 'gm');
    const uses = text.match(new RegExp(`(?<![-\\w])${name}(?=[ .;,)(])`, 'g')) ?? [];
    if (uses.length !== 1 + [...text.matchAll(parts)].length) continue;
    contents = contents
      .replace(statement, '')
      .replace(parts, (_, exported, names) =>
        [`import ${names} from '${library}';`, exported ? `export ${names};` : ''].join('\n'),
      );
  }
  return contents;
}

/** @param {string} text */
function bundlesWhatItRequires(text) {
  const calls = text.match(/\brequire(?:\.\w+)?\(/g) ?? [];
  return calls.length > 0 && calls.length === (text.match(/\brequire\('/g) ?? []).length;
}

/** Libraries with a binary stay where they are installed. @type {import('esbuild').Plugin} */
const nativeLibraries = {
  name: 'native-libraries',
  setup(build) {
    build.onResolve({ filter: /^(better-sqlite3|sharp)$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === nativeLibraries) return undefined;
      const resolved = await build.resolve(path, { ...options, pluginData: nativeLibraries });
      const isRequired = options.kind === 'require-call';
      return { path: isRequired ? resolved.path : pathToFileURL(resolved.path).href, external: true };
    });
  },
};

/**
 * tsyringe needs `reflect-metadata` before it. Several parts of the server share its chunk, which runs before the modules that
 * import both in this order.
 * @type {import('esbuild').Plugin}
 */
const reflectFirst = {
  name: 'reflect-first',
  setup(build) {
    const polyfill = createRequire(join(root, 'apps', 'server', 'package.json')).resolve('reflect-metadata');
    build.onLoad({ filter: /[\\/]tsyringe[\\/]dist[\\/]esm5[\\/]index\.js$/ }, async ({ path }) => ({
      contents: `import ${JSON.stringify(polyfill)};\n${await readFile(path, 'utf8')}`,
      loader: 'js',
    }));
  },
};

/**
 * Leaves the API of OpenTelemetry out of prom-client, because it is loaded only while the server makes traces. prom-client needs it for
 * exemplars, which the server does not use.
 * @type {import('esbuild').Plugin}
 */
const untracedLibraries = {
  name: 'untraced-libraries',
  setup(build) {
    build.onResolve({ filter: /^@opentelemetry\/api$/ }, ({ path, importer }) =>
      /[\\/]prom-client[\\/]/.test(importer) ? { path, namespace: 'unused' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Takes what modules import of Node by `process.getBuiltinModule`: `import` reads every export, and one of `node:http` loads
 * undici, 30 ms of processor time that a command does not need.
 * @type {import('esbuild').Plugin}
 */
const modulesOfNode = {
  name: 'modules-of-node',
  setup(build) {
    // Only those, as above.
    const filter = new RegExp(`^(?:node:.+|${builtinModules.join('|')})$`);
    build.onResolve({ filter }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {});
      // Pure, so that esbuild leaves out the exports that no module imports.
      const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ of('${name}');`);
      const contents = `const builtin = process.getBuiltinModule('${path}');
const of = (name) => builtin[name];
export default builtin;
${exports.join('\n')}`;
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Changes with everything that a bundle is made of. By names, sizes and times, of which the time of change (ctime)
 * cannot be set back, as a copy or a checkout may do with the other.
 * @param {readonly string[]} [beside] files that are copied beside the bundle
 */
export function sourceState(beside = []) {
  const states = [...sourceFiles(), ...beside].map((file) => {
    const { size, mtimeMs, ctimeMs } = statSync(file);
    return `${file}\0${size} ${mtimeMs} ${ctimeMs}`;
  });
  const state = [root, dependencyState(), ...states].join('\0');
  return createHash('sha256').update(state).digest('hex').slice(0, 32);
}

function sourceFiles() {
  const files = [join(root, 'tsconfig.base.json'), import.meta.filename];
  for (const folder of sourceFolders()) {
    const config = join(dirname(folder), 'tsconfig.json');
    if (existsSync(config)) files.push(config);
    files.push(...filesIn(folder).filter((file) => !/\.test\.tsx?$/.test(file)));
  }
  return files.sort();
}

/**
 * Lists the files of a folder and its subfolders. The option `recursive` takes three times as long, and each start lists two thousand files.
 * @param {string} folder
 * @returns {string[]}
 */
export function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + sep + entry.name;
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Where the code of all packages stands. */
export function sourceFolders() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name, 'src'))
      .filter((folder) => existsSync(folder)),
  );
}

function removeOldBundles() {
  const folders = readdirSync(bundles)
    .map((name) => join(bundles, name))
    .flatMap((path) => {
      const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      return time === undefined ? [] : [{ path, time }];
    })
    .sort((a, b) => b.time - a.time);
  for (const { path } of folders.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}
