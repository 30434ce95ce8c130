import { describe, expect, test } from 'vitest';
import { codeLines, placeOf, trackedFiles } from '../../quality/lines.mjs';

describe('codeLines', () => {
  test.each([
    { source: '', lines: 0 },
    { source: '// comment\n\nconst a = 1; // comment\n', lines: 1 },
    { source: '/**\n * comment\n */\nexport const a = 1;\n', lines: 1 },
    { source: '/* comment */ const a = 1;\n', lines: 1 },
    { source: "const a = '// no comment';\nconst b = /\\/*/;\n", lines: 2 },
    { source: 'const a = `\n// no comment\n\n`;\n', lines: 4 },
    { source: 'const a = (\n  <p>\n    {/* comment */}\n    no // comment\n  </p>\n);\n', lines: 6 },
    { source: 'f(\n  // comment\n  1,\n);\n', lines: 3 },
  ])('counts $lines in $source', ({ source, lines }) => {
    expect(codeLines(source)).toBe(lines);
  });
});

describe('placeOf', () => {
  test.each([
    ['packages/domain/src/webhooks/endpoint.ts', 'webhooks', 'product'],
    ['packages/storage-sqlite/src/transfer/copied-rows.ts', 'copy to another database', 'product'],
    ['packages/storage-sqlite/src/repositories/webhooks/log.ts', 'storage on SQLite', 'product'],
    ['packages/http/src/routes.ts', 'API', 'product'],
    ['packages/http/src/routing.test.ts', 'API', 'test'],
    ['packages/http/test-support/world.ts', 'API', 'test'],
    ['packages/storage-contract/src/suite.ts', 'contract of storages', 'test'],
    ['tests/e2e/audit.test.ts', 'tests of several packages', 'test'],
  ])('%s belongs to %s', (file, capability, kind) => {
    expect(placeOf(file)).toEqual({ capability, kind });
  });

  test.each([
    'packages/client/src/api-types.ts',
    'packages/web/assets/tokens.css',
    'scripts/run.mjs',
    'vitest.config.ts',
  ])('%s is not counted', (file) => {
    expect(placeOf(file)).toBeUndefined();
  });

  test('names a capability for every TypeScript file of packages, apps and tests', () => {
    const unassigned = trackedFiles().filter(({ file }) => placeOf(file)?.capability === 'unassigned');
    expect(unassigned.map(({ file }) => file)).toEqual([]);
  });
});
