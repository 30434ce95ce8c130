// Builds and packs a package in a copy of the repository.
import { cpSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, it } from 'vitest';
import { runPnpm } from '../../scripts/pnpm.mjs';

const ROOT = join(import.meta.dirname, '../..');
const MANIFESTS = globSync(['package.json', '{packages,apps}/*/package.json', 'tests/package.json'], {
  cwd: ROOT,
});
/** What a build of the domain reads. */
const SOURCES = ['scripts', 'pnpm-*.yaml', 'tsconfig.*.json', 'packages/domain/{src,tsconfig.json,README.md}'];

it('pnpm pack packs what is built from the sources, and nothing of a source that is gone', async () => {
  const folder = temporaryFolder(tmpdir());
  for (const file of [...MANIFESTS, ...globSync(SOURCES, { cwd: ROOT })])
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  for (const library of ['node_modules/typescript', 'packages/domain/node_modules/zod']) {
    mkdirSync(dirname(join(folder, library)), { recursive: true });
    symlinkSync(join(ROOT, library), join(folder, library));
  }
  mkdirSync(join(folder, 'packages/domain/dist'));
  for (const ending of ['js', 'd.ts']) writeFileSync(join(folder, `packages/domain/dist/gone.${ending}`), '');
  const { output } = await runPnpm(['--dir', join(folder, 'packages/domain'), 'pack', '--json']);
  // The output of prepack comes before the JSON.
  const { files } = JSON.parse(output.slice(output.indexOf('{'))) as { files: readonly { path: string }[] };
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'src/index.ts', 'package.json']),
  );
  expect(files.filter(({ path }) => path.includes('gone'))).toEqual([]);
});
