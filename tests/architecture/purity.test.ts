import { join } from 'node:path';
import { run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyTree, plant, root } from './planted-tree.ts';

interface Diagnostic {
  readonly message: string;
  readonly location: { readonly path: string };
}

const planted: [rule: string, file: string, source: string][] = [
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-now.ts', 'export const now = Date.now();'],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-clock.ts', 'export const clock = Date.now;'],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-date.ts', 'export const today = new Date();'],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-random.ts', 'export const chance = Math.random();'],
  [
    'no-ambient-time-or-chance',
    'packages/domain/src/planted-alias.ts',
    'const clock = Date;\nexport const now = new clock();',
  ],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-now-part.ts', 'export const { now } = Date;'],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-random-part.ts', 'export const { random } = Math;'],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-passed.ts', 'export const parts = [Date, Math];'],
  [
    'no-ambient-time-or-chance',
    'packages/domain/src/planted-within.ts',
    'export const now = new Date(Date.now());',
  ],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-optional.ts', 'export const now = Date?.now();'],
  ['no-ambient-time-or-chance', 'packages/domain/src/planted-key.ts', "export const chance = Math['random']();"],
  ['no-environment', 'packages/memory/src/planted-global.ts', 'export const port = globalThis.process.env.PORT;'],
  ['no-environment', 'packages/memory/src/planted-optional.ts', 'export const port = process?.env.PORT;'],
  ['no-environment', 'packages/memory/src/planted-passed.ts', 'export const all = Object.entries(process);'],
  ['no-environment', 'packages/memory/src/planted-module.ts', "import process from 'process';\nprocess.env;"],
  ['no-environment', 'packages/memory/src/planted-env.ts', 'export const port = process.env.PORT;'],
  ['no-environment', 'packages/runtime/src/planted-part.ts', 'export const { env } = process;'],
  ['no-environment', 'packages/http/src/planted-import.ts', "export { env } from 'node:process';"],
  [
    'no-environment',
    'packages/storage-sqlite/src/planted-name.ts',
    "import { env } from 'node:process';\nenv.PORT;",
  ],
];
const allowed: [file: string, source: string][] = [
  ['packages/domain/src/planted-given.ts', 'export const given = (at: number) => new Date(at);'],
  [
    'packages/domain/src/planted-types.ts',
    'export const later = (at: Date): Date => new Date(Math.max(at.getTime(), Date.UTC(2026, 0)));',
  ],
  ['packages/runtime/src/planted-version.ts', 'export const node = process.versions.node;'],
  ['packages/runtime/src/planted-now.ts', 'export const now = Date.now();'],
  ['apps/server/src/planted-env.ts', 'export const port = process.env.PORT;'],
];

describe('time, chance and environment', () => {
  const folder = temporaryFolder();
  let diagnostics: Diagnostic[];

  beforeAll(async () => {
    copyTree(folder);
    for (const [, file, source] of planted) plant(folder, file, `${source}\n`);
    for (const [file, source] of allowed) plant(folder, file, `${source}\n`);
    diagnostics = await diagnosticsIn(folder);
  });

  test.each(planted)('%s: %s', (rule, file) => {
    expect(
      diagnostics.filter(({ location }) => location.path === file).map(({ message }) => message),
    ).toContainEqual(expect.stringContaining(`${rule}:`));
  });

  test.each(allowed)('may stay: %s', (file) => {
    expect(diagnostics.filter(({ location }) => location.path === file)).toEqual([]);
  });
});

/** What the check's own rules say about the tree in the folder. */
async function diagnosticsIn(folder: string): Promise<Diagnostic[]> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'packages', 'apps'];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const report: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
  return report.diagnostics;
}
