// npm run dev: serves from source and restarts after each save.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, context } from 'esbuild';
import { buildFinder } from './finder-bundle.mjs';
import { root, say } from './process.mjs';
import { bundleOptions, sourceFolders } from './server-bundle.mjs';

const folder = join(root, 'node_modules', '.cache', 'dev');
/** Editors write a file in several steps, and a checkout writes many. */
const SETTLED_MS = 40;
/** Until a second signal, on which the server stops without waiting for open requests. */
const STOP_TIMEOUT_MS = 500;

/**
 * Serves until a signal. With `--inspect` on Node's default port, or on the one given with `--inspect=PORT`.
 * @param {string[]} args `--inspect=…`, the others go to `serve`
 * @returns {Promise<number>} the exit code
 */
export async function dev(args) {
  const inspect = args.find((arg) => arg.startsWith('--inspect')) ?? '--inspect';
  const serveArgs = args.filter((arg) => arg !== inspect);
  const options = bundleOptions(folder);
  const libraries = separateLibraries(options);
  const plugins = [...(options.plugins ?? []), libraries.plugin];
  const bundle = await context({ ...options, plugins, sourcemap: 'linked', sourcesContent: false });

  /** @returns {Promise<boolean>} whether the sources could be bundled; esbuild prints what is wrong */
  async function rebuild() {
    try {
      await buildFinder();
      await bundle.rebuild();
      if (await libraries.addNew()) await bundle.rebuild();
      return true;
    } catch (error) {
      if (error instanceof Error && 'errors' in error) return false;
      throw error;
    }
  }

  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;
  let stopping = false;

  function start() {
    if (stopping) return;
    const flags = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--enable-source-maps', inspect];
    server = spawn(
      process.execPath,
      [...flags, join(folder, 'main.js'), 'serve', '--design-pages', ...serveArgs],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') },
      },
    );
  }

  async function stop() {
    const running = server;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGTERM');
    const second = setTimeout(() => running.kill('SIGTERM'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(second);
  }

  async function restart() {
    const begun = performance.now();
    // The server that runs stays until the source is right again.
    if (!(await rebuild())) return;
    const isFirst = server === undefined;
    await stop();
    start();
    if (!isFirst) say(`restarted after ${Math.round(performance.now() - begun)} ms`);
  }

  /** @type {Promise<void>} */
  let work = restart();
  await work;
  /** @type {NodeJS.Timeout | undefined} */
  let settling;
  const watchers = sourceFolders().map((source) =>
    watch(source, { recursive: true }, (_event, file) => {
      if (file !== null && /\.test\.tsx?$/.test(file)) return;
      clearTimeout(settling);
      settling = setTimeout(() => {
        work = work.then(restart);
      }, SETTLED_MS);
    }),
  );

  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
  stopping = true;
  clearTimeout(settling);
  for (const watcher of watchers) watcher.close();
  await work;
  await stop();
  await bundle.dispose();
  return server?.exitCode ?? 0;
}

/**
 * Keeps libraries out of the bundle that is written after each save: they are most of its code and change only with an
 * install. Each becomes a file of its own, written when it is imported for the first time.
 * @param {import('esbuild').BuildOptions} options of the bundle
 */
function separateLibraries(options) {
  /** @type {Map<string, string>} import → folder of a file that imports it */
  const importers = new Map();
  /** @type {Map<string, string>} import → code that passes on the exports of its file */
  const passedOn = new Map();

  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'separate-libraries',
    setup(build) {
      build.onResolve({ filter: /^file:/ }, ({ path }) => ({ path, external: true }));
      build.onResolve({ filter: /^[@a-z]/ }, ({ path, kind, resolveDir, pluginData }) => {
        const isImport = kind === 'import-statement' || kind === 'dynamic-import';
        if (!isImport || pluginData !== undefined || isBuiltin(path) || path.startsWith('@countersign/'))
          return undefined;
        if (!importers.has(path)) importers.set(path, resolveDir);
        return passedOn.has(path) ? { path, namespace: 'library' } : { path, external: true };
      });
      build.onLoad({ filter: /.*/, namespace: 'library' }, ({ path }) => ({ contents: passedOn.get(path) ?? '' }));
    },
  };

  /** @type {import('esbuild').Plugin} */
  const entries = {
    name: 'library-entries',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind === 'entry-point' ? { path, namespace: 'library' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'library' }, ({ path }) => ({
        contents: `import * as all from ${JSON.stringify(path)};\nexport { all };`,
        resolveDir: importers.get(path) ?? root,
      }));
    },
  };

  /** Writes the libraries if the last bundle imports one that has no file yet. @returns {Promise<boolean>} */
  async function addNew() {
    if (importers.size === passedOn.size) return false;
    const names = [...importers.keys()];
    const libraries = join(folder, `libraries-${names.length}`);
    await build({
      ...options,
      entryPoints: Object.fromEntries(names.map((name, index) => [index, name])),
      outdir: libraries,
      plugins: [...(options.plugins ?? []), entries],
    });
    for (const [index, name] of names.entries()) {
      const file = pathToFileURL(join(libraries, `${index}.js`)).href;
      const { all } = /** @type {{ all: object }} */ (await import(file));
      // A library may export words that no variable can have for a name, such as `enum`.
      const exported = Object.keys(all).map((key, n) => [`v${n}`, JSON.stringify(key)]);
      passedOn.set(
        name,
        `import { all } from ${JSON.stringify(file)};
${exported.map(([variable, key]) => `const ${variable} = all[${key}];`).join('\n')}
export { ${exported.map(([variable, key]) => `${variable} as ${key}`).join(', ')} };`,
      );
    }
    return true;
  }

  return { plugin, addNew };
}
