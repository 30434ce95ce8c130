import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Running, start } from '@countersign/test-support/processes/child-process';

/** What `makeTree` notes of an install. */
export const INSTALL_ALL = 'pnpm install --frozen-lockfile';
export const INSTALL_FOR_SERVING = `${INSTALL_ALL} --prod --filter-prod @countersign/server... --trust-lockfile`;

/** Where the launcher keeps the programs that it fetches. */
export const FETCHED = 'cache/countersign';
const MACHINE = `${process.platform}-${process.arch}`;
/** The packages that the launcher fetches, and their folders in the cache. */
export const PNPM_PACKAGE = `@pnpm/exe.${MACHINE}`;
export const PNPM_FOLDER = `${FETCHED}/@pnpm+exe.${MACHINE}-12.21.0`;
const NODE_PACKAGE = `node-${MACHINE}`;
const NODE_FOLDER = `${FETCHED}/${NODE_PACKAGE}-24.21.0`;
/** The fetched pnpm: a shell script that runs the file beside it. */
const PNPM = `${PNPM_FOLDER}/node_modules/${PNPM_PACKAGE}/pnpm`;
export const PNPM_CODE = `${PNPM}.mjs`;

/** Replaces npm: puts this Node, or a pnpm that does nothing, where an install would put the package. */
export const INSTALLING_NPM = `
  const { mkdirSync, symlinkSync, writeFileSync } = await import('node:fs');
  const prefix = process.argv[process.argv.indexOf('--prefix') + 1];
  const name = process.argv.at(-1).replace(/@[^@]*$/, '');
  const isNode = name === '${NODE_PACKAGE}';
  const folder = prefix + '/node_modules/' + name + (isNode ? '/bin' : '');
  mkdirSync(folder, { recursive: true });
  if (isNode) symlinkSync(process.execPath, folder + '/node');
  else writeFileSync(folder + '/pnpm', '#!/bin/sh\\n', { mode: 0o755 });`;

/** The source of the server. */
export const SERVER = 'apps/server/src/main.ts';

/** Copies the server's source to where a bundle is expected. The finder, a single file, is built without being noted. */
const ESBUILD = `
  import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  export async function build({ outdir, outfile, banner }) {
    if (outfile !== undefined) {
      writeFileSync(outfile, banner.js);
      writeFileSync(outfile + '.map', '{}');
      return;
    }
    appendFileSync('calls', 'esbuild\\n');
    copyFileSync('${SERVER}', join(outdir, 'main.js'));
  }
  export async function context(options) {
    mkdirSync(options.outdir, { recursive: true });
    return {
      rebuild: async () => {
        if (readFileSync('${SERVER}', 'utf8').startsWith('syntax error')) {
          console.error('esbuild found a syntax error');
          throw Object.assign(new Error(), { errors: [] });
        }
        await build(options);
        return {};
      },
      dispose: async () => undefined,
    };
  }`;

/**
 * Writes a repository into a folder: the real launcher, and in place of npm, pnpm, esbuild, the server and the test
 * runner a few lines each that append a line to `calls` when they run. The launcher's tests need no network.
 */
export function makeTree(folder: string, overrides: Readonly<Record<string, string>> = {}): void {
  cpSync(join(import.meta.dirname, '../../scripts'), join(folder, 'scripts'), { recursive: true });
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'pnpm-lock.yaml': 'lockfileVersion: 9',
    'pnpm-workspace.yaml': 'packages: []',
    'docs/glossary.md': '',
    'packages/domain/package.json': '{}',
    'apps/server/package.json': '{ "type": "module" }',
    'npm/npm-cli.js': noting('npm', "console.log('npm says hello');"),
    [PNPM]: `#!/bin/sh\nexec '${process.execPath}' "$0.mjs" "$@"\n`,
    [PNPM_CODE]: noting('pnpm', "console.log('pnpm says hello');"),
    'packages/domain/src/index.ts': '',
    'packages/domain/tsconfig.json': '{}',
    'packages/reading/src/browser/finder.ts': '',
    'packages/reading/weights/manifest.json': '{ "layers": [] }',
    'packages/reading/weights/mrz.bin': '',
    'tsconfig.base.json': '{}',
    'node_modules/typescript/bin/tsc': noting('tsc', "console.log('tsc says hello');"),
    'node_modules/esbuild/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/esbuild/index.js': ESBUILD,
    'node_modules/vitest/vitest.mjs': noting('vitest'),
    [SERVER]: noting('server', 'console.log(JSON.stringify(process.argv.slice(2)));'),
    ...overrides,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  chmodSync(join(folder, PNPM), 0o755);
}

/** Starts the launcher of a made tree. */
export function launchIn(folder: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const own = { npm_execpath: join(folder, 'npm/npm-cli.js'), XDG_CACHE_HOME: join(folder, 'cache') };
  return start(process.execPath, ['scripts/run.mjs', ...args], { cwd: folder, env: { ...own, ...env } });
}

/** Returns a program that appends its name and arguments to `calls` and then runs the code. */
export function noting(name: string, code = ''): string {
  return `
    const { appendFileSync } = await import('node:fs');
    appendFileSync('calls', ['${name}', ...process.argv.slice(2)].join(' ') + '\\n');
    ${code}`;
}

/** How many bytes of each file of calls were returned. The files are never shortened: a program may append at any time. */
const returned = new Map<string, number>();

/** Returns a line for each program that ran since the last call. */
export function callsIn(folder: string): string[] {
  const file = join(folder, 'calls');
  if (!existsSync(file)) return [];
  const calls = readFileSync(file);
  const [from, to] = [returned.get(file) ?? 0, calls.lastIndexOf('\n') + 1];
  returned.set(file, to);
  return calls.toString('utf8', from, to).split('\n').filter(Boolean);
}

/** Makes the launcher's Node look old. @returns the environment that does it */
export function pretendOldNode(folder: string): Record<string, string> {
  const disguise = join(folder, 'old-node.cjs');
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
     delete process.env.NODE_OPTIONS;`,
  );
  return { NODE_OPTIONS: `--require ${disguise}` };
}

/** Puts this Node, or a script, where the launcher keeps the bundled one. Returns its path. */
export function placeBundledNode(folder: string, script?: string): string {
  const binary = join(folder, NODE_FOLDER, 'node_modules', NODE_PACKAGE, 'bin/node');
  mkdirSync(dirname(binary), { recursive: true });
  if (script === undefined) symlinkSync(process.execPath, binary);
  else writeFileSync(binary, script, { mode: 0o755 });
  return binary;
}
