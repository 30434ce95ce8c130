import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Running, start } from '@countersign/test-support/processes/child-process';

/** What `makeTree` notes of an install. */
export const INSTALL_ALL =
  'npm exec --yes --prefer-offline --package=pnpm@12.21.0 -- pnpm install --frozen-lockfile';
export const INSTALL_FOR_SERVING = `${INSTALL_ALL} --prod --filter-prod @countersign/server... --trust-lockfile`;

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
 * Writes a repository into a folder: the real launcher, and in place of npm, esbuild, the server and the test runner a
 * few lines each that append a line to `calls` when they run. The launcher's tests need no network.
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
}

/** Starts the launcher of a made tree. */
export function launchIn(folder: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const npm = { npm_execpath: join(folder, 'npm/npm-cli.js') };
  return start(process.execPath, ['scripts/run.mjs', ...args], { cwd: folder, env: { ...npm, ...env } });
}

/** Returns a program that appends its name and arguments to `calls` and then runs the code. */
export function noting(name: string, code = ''): string {
  return `
    const { appendFileSync } = await import('node:fs');
    appendFileSync('calls', ['${name}', ...process.argv.slice(2)].join(' ') + '\\n');
    ${code}`;
}

/** Returns a line for each program that ran since the last call. */
export function callsIn(folder: string): string[] {
  const file = join(folder, 'calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  writeFileSync(file, '');
  return calls;
}

/** Makes the launcher's Node look old, and puts this one where the launcher looks for the bundled one. */
export function pretendOldNode(folder: string): Record<string, string> {
  const disguise = join(folder, 'old-node.cjs');
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
     delete process.env.NODE_OPTIONS;`,
  );
  const name = `node-${process.platform}-${process.arch}`;
  const binary = join(folder, 'cache/countersign', `${name}-24.21.0`, 'node_modules', name, 'bin/node');
  mkdirSync(dirname(binary), { recursive: true });
  symlinkSync(process.execPath, binary);
  chmodSync(binary, 0o755);
  return { NODE_OPTIONS: `--require ${disguise}`, XDG_CACHE_HOME: join(folder, 'cache') };
}
