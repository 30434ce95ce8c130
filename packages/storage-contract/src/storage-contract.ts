import type { Storage } from '@countersign/domain';
import { describe, it } from 'vitest';
import { ALL_SUITES } from './all-suites.ts';

/** For one case. Generous, since a database on a busy machine may take its time: no case measures speed. */
const TIMEOUT_MS = 60_000;

/**
 * Registers the whole contract with vitest: every suite, none of them optional. Call it in a test file of your
 * adapter.
 *
 * @param name what the tests are listed under
 * @param create gives a storage that is ready, empty and shares nothing with those before it, such as a file, a
 *   database or a schema of its own. It is called before each case; the storage is closed after it.
 *
 * @example
 * // my-storage.test.ts
 * import { storageContract } from '@countersign/storage-contract';
 * import { createMyStorage } from './my-storage.ts';
 *
 * storageContract('my storage', async () => createMyStorage({ url: await freshDatabase() }));
 */
export function storageContract(name: string, create: () => Promise<Storage>): void {
  describe(name, () => {
    for (const suite of ALL_SUITES) {
      describe(suite.name, () => {
        for (const { name, run } of suite.cases) {
          it(name, { timeout: TIMEOUT_MS }, async ({ onTestFinished }) => {
            const storage = await create();
            onTestFinished(() => storage.close());
            await run(storage);
          });
        }
      });
    }
  });
}
