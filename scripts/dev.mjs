// npm run dev: serves from source and restarts after each save.
import { spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { context } from 'esbuild';
import { root, say } from './process.mjs';
import { bundleOptions, sourceFolders } from './server-bundle.mjs';

const folder = join(root, 'node_modules', '.cache', 'dev');
/** Editors write a file in several steps, and a checkout writes many. */
const SETTLED_MS = 40;
/** Until a second signal, on which the server stops without waiting for open requests. */
const PATIENCE_MS = 500;

/**
 * Serves until a signal. With `--inspect` on Node's default port, or on the one given with `--inspect=PORT`.
 * @param {string[]} args `--inspect=…`, the others go to `serve`
 * @returns {Promise<number>} the exit code
 */
export async function dev(args) {
  const inspect = args.find((arg) => arg.startsWith('--inspect')) ?? '--inspect';
  const serveArgs = args.filter((arg) => arg !== inspect);
  const options = bundleOptions(folder);
  const plugins = [...(options.plugins ?? []), unmappedLibraries()];
  const bundle = await context({ ...options, plugins, sourcemap: 'linked', sourcesContent: false });

  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;
  let stopping = false;

  function start() {
    if (stopping) return;
    const flags = ['--max-semi-space-size=8', '--enable-source-maps', inspect];
    server = spawn(process.execPath, [...flags, join(folder, 'main.js'), 'serve', ...serveArgs], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') },
    });
  }

  async function stop() {
    const running = server;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGTERM');
    const second = setTimeout(() => running.kill('SIGTERM'), PATIENCE_MS);
    await ended;
    clearTimeout(second);
  }

  async function restart() {
    const begun = performance.now();
    // esbuild prints what is wrong; the server that runs stays until the source is right again.
    if ((await bundle.rebuild().catch(() => undefined)) === undefined) return;
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

/** Source maps of libraries would take most of a rebuild's time. @returns {import('esbuild').Plugin} */
function unmappedLibraries() {
  const emptyMap = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');
  /** @type {Map<string, { contents: string, loader: 'js' }>} */
  const loaded = new Map();
  return {
    name: 'unmapped-libraries',
    setup(build) {
      build.onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => {
        const contents = () =>
          `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${emptyMap}`;
        const library = loaded.get(path) ?? { contents: contents(), loader: /** @type {const} */ ('js') };
        loaded.set(path, library);
        return library;
      });
    },
  };
}
