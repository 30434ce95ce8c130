import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SOURCE_CONDITIONS, sourceAliases } from './sources.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Patterns of test files; one with `!` leaves files out. */
const patterns: readonly string[] = JSON.parse(process.env.MUTATION_TESTS ?? '[]');

/** The first test that fails ends the run of a mutant: large files, which take long, come last. */
class SmallestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return files.toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
  }
}

export default defineConfig({
  root,
  resolve: { conditions: SOURCE_CONDITIONS, alias: sourceAliases(root) },
  ssr: { resolve: { conditions: SOURCE_CONDITIONS } },
  test: {
    isolate: false,
    sequence: { sequencer: SmallestFirst },
    restoreMocks: true,
    include: patterns.filter((pattern) => !pattern.startsWith('!')),
    exclude: [
      ...configDefaults.exclude,
      ...patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)),
      // Tests the contract kit, not the code under mutation.
      'packages/storage-contract/src/mutants.test.ts',
      // Compare source files, which are mutated, with the packages that they were made from.
      'packages/domain/src/fields/{address,calling-code}-data.test.ts',
      // Start databases.
      'tests/use-cases/copy-storage.test.ts',
      'tests/use-cases/replaced-uploads.test.ts',
    ],
    env: { TEST_SERVERS: 'off' },
    setupFiles: ['./tests/mutation/before-loading.mjs', './tests/setup.ts'],
    // As in other runs: at the lowest priority, a test may wait long for the processor.
    testTimeout: 60_000,
  },
});
