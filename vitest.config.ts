import { configDefaults, defineConfig } from 'vitest/config';
import { isCi } from './packages/test-support/ci.ts';
import { LONG_TESTS } from './tests/full-length.mjs';
import { LongestFirst } from './tests/longest-first.ts';
import { filesOfRest, slowerFiles } from './tests/slower-tests.mjs';

// Runs from source, without a build, by each package's `source` export. (`import` is always resolved. Listed here, it would
// apply to `require` too.)
// Not `module` either: Node does not know it, and cannot load the modules for bundlers that it names.
const source = ['source', 'node', 'default'];

const LONG = process.env.LONG_TESTS === 'on' ? [] : [LONG_TESTS];
/** Tests that `npm test` leaves out. */
const SLOWER = process.env.SLOWER_TESTS === 'off' ? slowerFiles() : [];
const exclude = [...configDefaults.exclude, ...LONG, ...SLOWER];

/** The tests of `npm run test:unit`: they start no server and no browser, and several files may share a process. */
const UNIT = [
  ...['domain', 'http', 'client', 'web', 'memory', 'storage-contract', 'sealing', 'storage-sqlite'].map(
    (name) => `packages/${name}/src/**/*.test.{ts,tsx}`,
  ),
  'tests/use-cases/**/*.test.ts',
];
/** Use cases that start a database. */
const NOT_UNIT = filesOfRest().filter((file) => file.startsWith('tests/use-cases/'));

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    reporters: ['default', './tests/reporter.ts'],
    allowOnly: !isCi(process.env),
    restoreMocks: true,
    // Files share a process and its browser: loading the modules takes longer than the tests of most files.
    isolate: false,
    setupFiles: ['./tests/setup.ts'],
    globalSetup: [
      './packages/test-support/servers/shared-postgres.ts',
      './packages/test-support/browser/finder-setup.ts',
    ],
    // Four workers even on two cores, because many tests wait for servers and deadlines. All projects share one queue.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Generous timeouts, because some tests start servers.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/{src,acceptance}/**/*.test.{ts,tsx}', 'apps/*/src/**/*.test.{ts,tsx}'],
          // The example is tested on the packed packages (tests/packaging).
          exclude: [...exclude, ...UNIT, 'apps/embed-example/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [...exclude, ...NOT_UNIT],
        },
      },
      {
        // Tests that start servers, compilers and browsers, with longer timeouts.
        extends: true,
        test: {
          name: 'system',
          include: ['tests/!(use-cases)/**/*.test.ts', 'packages/test-support/**/*.test.ts', ...NOT_UNIT],
          exclude,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
