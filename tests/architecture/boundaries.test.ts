import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { FOLDERS } from '../../quality/folders.mjs';
import { copySettings, linkDependency, makeTree, plant, root } from './planted-tree.ts';

interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to?: string;
}

type Planted = readonly [rule: string, file: string, source: string];

/** Violations of the rules in .dependency-cruiser.mjs. */
const IMPORTS: readonly Planted[] = [
  ['domain-imports-only-zod', 'packages/domain/src/planted-io.ts', "import 'node:fs';"],
  ['domain-imports-only-zod', 'packages/domain/src/planted-library.ts', "import 'uuid';"],
  [
    'only-actions-use-services',
    'packages/domain/src/staff/planted-services.ts',
    "import type { Services } from '../actions/services.ts';",
  ],
  ['domain-tests-need-nothing', 'packages/domain/src/planted.test.ts', "import 'node:child_process';"],
  ['adapter-imports-only-domain', 'packages/runtime/src/planted.ts', "import '@countersign/memory';"],
  [
    'adapter-imports-only-domain',
    'packages/memory/src/planted-type.ts',
    "import type {} from '@countersign/rate-limit';",
  ],
  ['adapter-imports-only-domain', 'packages/storage-keyvalue/src/planted.ts', "import '@countersign/memory';"],
  ['adapter-imports-only-domain', 'packages/evidence-s3/src/planted.ts', "import '@countersign/evidence';"],
  ['adapter-imports-only-domain', 'packages/evidence-format/src/planted.ts', "import '@countersign/evidence-s3';"],
  ['adapter-imports-only-domain', 'packages/storage-sqlite/src/planted-other.ts', "import '@countersign/memory';"],
  ['adapter-imports-only-domain', 'packages/statements/src/planted.ts', "import '@countersign/storage-sqlite';"],
  ['adapter-imports-only-domain', 'packages/tables/src/planted.ts', "import '@countersign/statements';"],
  ['reading-imports-nothing', 'packages/reading/src/planted.ts', "import 'node:fs';"],
  ['decoder-loads-no-domain', 'packages/evidence/src/decoder/planted.ts', "import '@countersign/domain';"],
  [
    'client-knows-no-server',
    'packages/client/src/planted-domain.ts',
    "import type {} from '@countersign/domain';",
  ],
  ['client-knows-no-server', 'packages/client/src/planted-io.ts', "import 'node:crypto';"],
  ['server-knows-no-client', 'packages/web/src/planted-client.ts', "import '@countersign/client';"],
  ['http-knows-no-storage', 'packages/http/src/planted.ts', "import '@countersign/storage-sqlite';"],
  ['memory-does-no-io', 'packages/memory/src/planted-io.ts', "import 'node:fs';"],
  ['only-server-composes', 'packages/rate-limit/src/planted.ts', "import 'tsyringe';"],
  ['no-imports-of-server', 'packages/runtime/src/planted-server.ts', "import '../../../apps/server/src/main.ts';"],
  ['server-is-composed-from-above', 'apps/server/src/serve/planted.ts', "import '../composition/core.ts';"],
  ...Object.entries(FOLDERS).flatMap(([name, folders]) =>
    folders
      .slice(0, -1)
      .map(
        (folder, index): Planted => [
          'folders-import-downward',
          `${name}/src/${folder}/planted-upward.ts`,
          `import type {} from '../${folders[index + 1]}/planted-above.ts';`,
        ],
      ),
  ),
  ['no-deep-imports', 'packages/storage-sqlite/src/planted.ts', "import '../../domain/src/errors.ts';"],
  ['no-cycles', 'packages/http/src/planted-cycle.ts', "import './planted-cycle-back.ts';"],
  ['no-cycles', 'packages/http/src/planted-cycle-back.ts', "import './planted-cycle.ts';"],
  ['no-tests-in-source', 'packages/domain/src/planted-testing.ts', "import './planted.test.ts';"],
  ['no-undeclared-dependencies', 'packages/storage-sqlite/src/planted-tool.ts', "import 'drizzle-kit';"],
  ['no-unresolvable', 'packages/http/src/planted-nothing.ts', "import './is-not-there.ts';"],
];

/** Empty files that planted files import. */
const IMPORTED = [
  'packages/domain/src/actions/services.ts',
  'packages/domain/src/errors.ts',
  'apps/server/src/composition/core.ts',
  'apps/server/src/main.ts',
  ...Object.entries(FOLDERS).flatMap(([name, folders]) =>
    folders.map((folder) => `${name}/src/${folder}/planted-above.ts`),
  ),
];

/** Imports that no rule of .dependency-cruiser.mjs reports. */
const ALLOWED_IMPORTS: readonly [file: string, source: string][] = [
  ['packages/domain/src/allowed-zod.ts', "import 'zod';"],
  ['packages/domain/src/actions/allowed-services.ts', "import './services.ts';"],
  ['packages/domain/src/sandbox/allowed-below.ts', "import '../verification/planted-above.ts';"],
  ['packages/memory/src/allowed.ts', "import 'node:crypto';\nimport '@countersign/domain';"],
  ['packages/memory/src/allowed-store.ts', "import '@countersign/storage-keyvalue';"],
  ['packages/evidence-s3/src/allowed.ts', "import '@countersign/evidence-format';"],
  ['packages/storage-postgres/src/allowed.ts', "import '@countersign/statements';\nimport '@countersign/tables';"],
  ['packages/client/src/allowed.ts', "import 'openapi-fetch';"],
  ['apps/server/src/allowed.ts', "import 'tsyringe';\nimport '@countersign/memory';"],
  ['apps/server/src/backup/allowed-below.ts', "import '../composition/planted-above.ts';"],
];

/** Violations of the rules in quality/*.grit: packages receive the time, random values and settings as arguments. */
const GLOBALS: readonly Planted[] = [
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

/** Uses of globals that no rule of quality/*.grit reports. */
const ALLOWED: readonly [file: string, source: string][] = [
  ['packages/domain/src/planted-given.ts', 'export const given = (at: number) => new Date(at);'],
  [
    'packages/domain/src/planted-types.ts',
    'export const later = (at: Date): Date => new Date(Math.max(at.getTime(), Date.UTC(2026, 0)));',
  ],
  ['packages/runtime/src/planted-version.ts', 'export const node = process.versions.node;'],
  ['packages/runtime/src/planted-now.ts', 'export const now = Date.now();'],
  ['apps/server/src/planted-env.ts', 'export const port = process.env.PORT;'],
];

/** Lists the imports in the folder that break a rule. */
async function forbiddenImports(folder: string, ...parts: string[]): Promise<Violation[]> {
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [cruiser, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...parts];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const { summary }: { summary: { violations: { from: string; to: string; rule: { name: string } }[] } } =
    JSON.parse(stdout);
  return summary.violations.map(({ from, to, rule }) => ({ rule: rule.name, from, to }));
}

/**
 * Lists the uses of globals in the planted files that break a rule. They stand in a folder of their own: the linter judges
 * each file alone, and takes most of its time for the files around.
 */
async function forbiddenGlobals(): Promise<Violation[]> {
  const folder = temporaryFolder(tmpdir());
  copySettings(folder);
  for (const [, file, source] of GLOBALS) plant(folder, file, `${source}\n`);
  for (const [file, source] of ALLOWED) plant(folder, file, `${source}\n`);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'packages', 'apps'];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const { diagnostics }: { diagnostics: { message: string; location: { path: string } }[] } = JSON.parse(stdout);
  return diagnostics.map(({ message, location }) => ({ rule: message.split(':')[0] ?? '', from: location.path }));
}

// `npm run check` applies the rules to the repository itself.
describe('the import and global rules', () => {
  const folder = temporaryFolder(tmpdir());
  let imports: readonly Violation[];
  let globals: readonly Violation[];

  beforeAll(async () => {
    makeTree(folder);
    linkDependency(folder, 'packages/domain', 'uuid', 'packages/runtime');
    linkDependency(folder, 'packages/runtime', '@countersign/memory');
    linkDependency(folder, 'packages/memory', '@countersign/rate-limit');
    linkDependency(folder, 'packages/storage-keyvalue', '@countersign/memory');
    linkDependency(folder, 'packages/evidence-s3', '@countersign/evidence');
    linkDependency(folder, 'packages/evidence-format', '@countersign/evidence-s3');
    linkDependency(folder, 'packages/statements', '@countersign/storage-sqlite');
    linkDependency(folder, 'packages/tables', '@countersign/statements');
    linkDependency(folder, 'packages/storage-sqlite', '@countersign/memory');
    linkDependency(folder, 'packages/http', '@countersign/storage-sqlite');
    linkDependency(folder, 'packages/web', '@countersign/client');
    linkDependency(folder, 'packages/rate-limit', 'tsyringe', 'apps/server');
    for (const file of IMPORTED) plant(folder, file, 'export {};\n');
    for (const [, file, source] of IMPORTS) plant(folder, file, `${source}\n`);
    for (const [file, source] of ALLOWED_IMPORTS) plant(folder, file, `${source}\n`);
    [imports, globals] = await Promise.all([forbiddenImports(folder, 'packages', 'apps'), forbiddenGlobals()]);
  });

  test.each([...IMPORTS, ...GLOBALS])('%s reports the planted violation in %s', (rule, file) => {
    const about = [...imports, ...globals].filter(({ from, to }) => from === file || to === file);
    expect(about.map((violation) => violation.rule)).toContain(rule);
  });

  test.each(ALLOWED)('no rule reports the allowed use in %s', (file) => {
    expect(globals.filter(({ from }) => from === file)).toEqual([]);
  });

  test.each(ALLOWED_IMPORTS)('no rule reports the allowed import in %s', (file) => {
    expect(imports.filter(({ from, to }) => from === file || to === file)).toEqual([]);
  });
});
