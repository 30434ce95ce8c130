import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, expect, test } from 'vitest';
import { root } from './planted-tree.ts';

const PLAIN = 'export const half = (n: number): number => Math.floor(n / 2);';
const PLATFORM: readonly [name: string, source: string][] = [
  ['process', 'export const port: unknown = process.argv;'],
  ['fetch', "export const answer: unknown = fetch('https://example.org');"],
  ['Buffer', "export const bytes: unknown = Buffer.from('a');"],
  ['crypto', 'export const id: unknown = crypto.randomUUID();'],
  ['setTimeout', 'export const later: unknown = setTimeout(() => {}, 1);'],
  ['console', "console.log('a');\nexport {};"],
  ['node:fs', "export { readFileSync } from 'node:fs';"],
];
const fileOf = (name: string) => `src/planted-${name.replace(':', '-')}.ts`;

/** The errors of the compiler, one a line. */
let output = '';

// Compiles all source files at once with the domain's settings: each is a module of its own.
beforeAll(async () => {
  const folder = temporaryFolder(tmpdir());
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const settings = { extends: join(root, 'packages/domain/tsconfig.json') };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  for (const [name, source] of [['plain', PLAIN], ...PLATFORM] as const) {
    writeFileSync(join(folder, fileOf(name)), `${source}\n`);
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  ({ stdout: output } = await run(process.execPath, [compiler, '-p', '.', '--noEmit'], { cwd: folder }));
});

const errorsIn = (name: string) => output.split('\n').filter((line) => line.startsWith(fileOf(name)));

test('plain TypeScript compiles with the settings of the domain', () => {
  expect(errorsIn('plain')).toEqual([]);
  // No error of the settings, which would be without a file.
  expect(output.split('\n').filter((line) => line.startsWith('error '))).toEqual([]);
});

test.each(PLATFORM)('%s is a compile error in the domain', (name) => {
  expect(errorsIn(name)).toEqual([expect.stringMatching(new RegExp(`error TS\\d+: Cannot find .*'${name}'`))]);
});
