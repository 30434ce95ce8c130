import { defineConfig } from 'vitest/config';
import { isCi } from './tests/ci.ts';

// From source, without a build: each package's `source` export.
const source = ['source', 'node', 'import', 'module', 'default'];

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
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts'],
          testTimeout: 20_000,
          // Where databases are started.
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // They start servers and compilers: after the others, and with time for a slow machine.
        extends: true,
        test: {
          name: 'system',
          include: ['tests/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
