import { configDefaults, defineConfig } from 'vitest/config';
import { isCi } from './packages/test-support/ci.ts';
import { LongestFirst } from './tests/longest-first.ts';

// From source, without a build: each package's `source` export. (`import` is always understood; named here, it would hold
// for `require` too, and pg would find a module where it expects a function.)
const source = ['source', 'node', 'module', 'default'];

/** Only in `npm run test:long`; a test in there covers, in a shorter way, what it is about. */
const LONG = process.env.LONG_TESTS === 'on' ? [] : ['**/*.long.test.ts'];
const exclude = [...configDefaults.exclude, ...LONG];

/** `npm run test:unit`: they start no server and no browser, and several files may run in one process. */
const UNIT = [
  ...['domain', 'http', 'web', 'memory', 'storage-contract', 'sealing', 'storage-sqlite'].map(
    (name) => `packages/${name}/src/**/*.test.{ts,tsx}`,
  ),
  'tests/use-cases/*.test.ts',
];
/** It starts a database. */
const NOT_UNIT = 'tests/use-cases/copy-storage.test.ts';

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    reporters: ['default', './tests/reporter.ts'],
    allowOnly: !isCi(process.env),
    restoreMocks: true,
    // A process loads its modules once, which takes longer than the tests of most files, and keeps its browser.
    isolate: false,
    setupFiles: ['./tests/setup.ts'],
    globalSetup: ['./packages/test-support/servers/shared-postgres.ts'],
    // Many of them wait, for servers and deadlines: three at once, also on two cores. All projects in one queue, by name.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Upper bounds for a slow machine: some tests start servers.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'apps/*/src/**/*.test.ts'],
          exclude: [...exclude, ...UNIT],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...exclude, NOT_UNIT],
        },
      },
      {
        // They start servers, compilers and browsers: after the others, and with time for a slow machine.
        extends: true,
        test: {
          name: 'system',
          include: ['tests/**/*.test.ts', 'packages/test-support/**/*.test.ts', NOT_UNIT],
          exclude: [...exclude, 'tests/use-cases/!(copy-storage).test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
