import { join } from 'node:path';
import { run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyTree, linkDependency, plant, root } from './planted-tree.ts';

interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** What the check's own rules say about the tree in the folder. */
async function violationsIn(folder: string, ...parts: string[]): Promise<Violation[]> {
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [cruiser, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...parts];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const { summary }: { summary: { violations: { from: string; to: string; rule: { name: string } }[] } } =
    JSON.parse(stdout);
  return summary.violations.map(({ from, to, rule }) => ({ rule: rule.name, from, to }));
}

test('the tree keeps its boundaries', async () => {
  expect(await violationsIn(root, 'packages', 'apps', 'tests')).toEqual([]);
});

describe('a planted violation is found', () => {
  const planted: [rule: string, file: string, source: string][] = [
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
    ['http-knows-no-storage', 'packages/http/src/planted.ts', "import '@countersign/storage-sqlite';"],
    ['memory-does-no-io', 'packages/memory/src/planted-io.ts', "import 'node:fs';"],
    ['only-server-composes', 'packages/rate-limit/src/planted.ts', "import 'tsyringe';"],
    [
      'nobody-imports-server',
      'packages/runtime/src/planted-server.ts',
      "import '../../../apps/server/src/main.ts';",
    ],
    ['server-is-composed-from-above', 'apps/server/src/serve/planted.ts', "import '../composition/core.ts';"],
    ['no-deep-imports', 'packages/storage-sqlite/src/planted.ts', "import '../../domain/src/errors.ts';"],
    ['no-cycles', 'packages/http/src/planted-cycle.ts', "import './planted-cycle-back.ts';"],
    ['no-cycles', 'packages/http/src/planted-cycle-back.ts', "import './planted-cycle.ts';"],
    ['no-tests-in-source', 'packages/domain/src/planted-testing.ts', "import './planted.test.ts';"],
    ['no-undeclared-dependencies', 'packages/storage-sqlite/src/planted-tool.ts', "import 'drizzle-kit';"],
    ['no-unresolvable', 'packages/http/src/planted-nothing.ts', "import './is-not-there.ts';"],
  ];
  const folder = temporaryFolder();
  let found: Violation[];

  beforeAll(async () => {
    copyTree(folder);
    linkDependency(folder, 'packages/domain', 'uuid', 'packages/runtime');
    linkDependency(folder, 'packages/runtime', '@countersign/memory');
    linkDependency(folder, 'packages/memory', '@countersign/rate-limit');
    linkDependency(folder, 'packages/http', '@countersign/storage-sqlite');
    linkDependency(folder, 'packages/rate-limit', 'tsyringe', 'apps/server');
    for (const [, file, source] of planted) plant(folder, file, `${source}\n`);
    found = await violationsIn(folder, 'packages', 'apps');
  });

  test.each(planted)('%s: %s', (rule, file) => {
    const about = found.filter((violation) => violation.from === file || violation.to === file);
    expect(about.map((violation) => violation.rule)).toContain(rule);
  });

  test('and nothing but the planted files', () => {
    expect(found.filter(({ from }) => !from.includes('/planted'))).toEqual([]);
  });
});
