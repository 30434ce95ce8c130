import { configDefaults, defineConfig } from 'vitest/config';
import { isCi } from './tests/ci.ts';

// From source, without a build: each package's `source` export. (`import` is always understood; named here, it would hold
// for `require` too, and pg would find a module where it expects a function.)
const source = ['source', 'node', 'module', 'default'];

/** Only in `npm run test:long`; a test in there covers, in a shorter way, what it is about. */
const LONG = process.env.LONG_TESTS === 'on' ? [] : ['**/*.long.test.ts'];
const exclude = [...configDefaults.exclude, ...LONG];

export default defineConfig({
  resolve: { conditions: source },
  ssr: { resolve: { conditions: source } },
  test: {
    reporters: ['default', './tests/reporter.ts'],
    allowOnly: !isCi(process.env),
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          // Most of their time they wait, for servers and deadlines: two at once, also on two cores.
          maxWorkers: 2,
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'apps/*/src/**/*.test.ts'],
          testTimeout: 20_000,
          // Where databases are started.
          hookTimeout: 60_000,
          exclude,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // They start servers, compilers and browsers: after the others, and with time for a slow machine.
        extends: true,
        test: {
          name: 'system',
          maxWorkers: 2,
          include: ['tests/**/*.test.ts'],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
