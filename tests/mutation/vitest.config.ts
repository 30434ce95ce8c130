import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Stryker copies the sources into a sandbox: packages import each other from there, not from the links in `node_modules`. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const source = ['source', 'node', 'module', 'default'];

export default defineConfig({
  root,
  resolve: {
    conditions: source,
    alias: [
      { find: /^@countersign\/test-support\/(.*)$/, replacement: `${root}packages/test-support/$1.ts` },
      { find: /^@countersign\/domain\/([a-z-]+)$/, replacement: `${root}packages/domain/src/entries/$1.ts` },
      { find: /^@countersign\/([a-z-]+)$/, replacement: `${root}packages/$1/src/index.ts` },
    ],
  },
  ssr: { resolve: { conditions: source } },
  test: {
    isolate: false,
    restoreMocks: true,
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    exclude: [
      ...configDefaults.exclude,
      // Tests the contract kit, not the code under mutation.
      'packages/storage-contract/src/mutants.test.ts',
      // Start databases.
      'tests/use-cases/copy-storage.test.ts',
      'tests/use-cases/replaced-uploads.test.ts',
    ],
    setupFiles: ['./tests/setup.ts'],
    testTimeout: 20_000,
  },
});
