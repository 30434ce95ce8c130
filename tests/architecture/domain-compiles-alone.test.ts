import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test } from 'vitest';
import { root } from './planted-tree.ts';

const folder = temporaryFolder(tmpdir());

/** Compiles a source file with the domain's settings and returns the compiler's output. */
async function compile(source: string): Promise<string> {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'packages/domain/tsconfig.json') }),
  );
  writeFileSync(join(folder, 'src/planted.ts'), `${source}\n`);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', '.', '--noEmit'], { cwd: folder });
  return stdout;
}

test('plain TypeScript compiles with the settings of the domain', async () => {
  expect(await compile('export const half = (n: number): number => Math.floor(n / 2);')).toBe('');
});

test.each([
  ['process', 'export const port: unknown = process.argv;'],
  ['fetch', "export const answer: unknown = fetch('https://example.org');"],
  ['Buffer', "export const bytes: unknown = Buffer.from('a');"],
  ['crypto', 'export const id: unknown = crypto.randomUUID();'],
  ['setTimeout', 'export const later: unknown = setTimeout(() => {}, 1);'],
  ['console', "console.log('a');\nexport {};"],
  ['node:fs', "export { readFileSync } from 'node:fs';"],
])('%s is a compile error in the domain', async (name, source) => {
  expect(await compile(source)).toMatch(new RegExp(`error TS\\d+: Cannot find .*'${name}'`));
});
