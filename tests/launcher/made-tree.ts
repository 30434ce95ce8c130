import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A repository in a folder of its own: the real launcher, and in place of npm, compiler, server and test
 * runner a few lines each that note in `calls` that they ran. So the launcher's tests need no network.
 */
export function makeTree(folder: string, overrides: Readonly<Record<string, string>> = {}): void {
  cpSync(join(import.meta.dirname, '../../scripts'), join(folder, 'scripts'), { recursive: true });
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'pnpm-lock.yaml': 'lockfileVersion: 9',
    'pnpm-workspace.yaml': 'packages: []',
    'packages/domain/package.json': '{}',
    'apps/server/package.json': '{ "type": "module" }',
    'npm/npm-cli.js': noting('npm', "console.log('npm says hello');"),
    'node_modules/typescript/bin/tsc': noting('tsc', "console.log('tsc says hello');"),
    'node_modules/vitest/vitest.mjs': noting('vitest'),
    'apps/server/dist/main.js': noting('server', 'console.log(JSON.stringify(process.argv.slice(2)));'),
    ...overrides,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A program that notes its name and arguments, and then does what the code says. */
export function noting(name: string, code = ''): string {
  return `
    const { appendFileSync } = await import('node:fs');
    appendFileSync('calls', ['${name}', ...process.argv.slice(2)].join(' ') + '\\n');
    ${code}`;
}

/** What ran since the last time, one line each. */
export function callsIn(folder: string): string[] {
  const file = join(folder, 'calls');
  const calls = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  writeFileSync(file, '');
  return calls;
}

/** Makes the Node that the launcher starts with look old, and puts this one where it looks for a newer one. */
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
