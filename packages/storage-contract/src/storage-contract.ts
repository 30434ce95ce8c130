import type { Storage } from '@countersign/domain/storage';
import { ALL_SUITES } from './all-suites.ts';
import { describeSuites } from './describe-suites.ts';
import { DURABILITY_SUITES } from './suites/durability.ts';

/**
 * Registers the whole storage contract with vitest: every suite, none of them optional. Call it in a test file of your
 * adapter.
 *
 * @param name heading of the tests
 * @param create returns a storage that is ready, empty and shares nothing with those before it, such as a file, a
 *   database or a schema of its own. It is called before each case; the storage is closed after the case.
 * @param options.reopen opens another storage on the data of one that was closed, which it receives as `create` returned it, so that `create`
 *   can add where the data is: `{ ...(await createMyStorage({ file })), file }`. Give it for every storage that keeps its data: it adds
 *   the suite about durability
 *
 * @example
 * // my-storage.test.ts
 * import { createMemoryStorage } from '@countersign/memory';
 * import { storageContract } from '@countersign/storage-contract';
 *
 * storageContract('my storage', async () => createMemoryStorage());
 */
export function storageContract<S extends Storage>(
  name: string,
  create: () => Promise<S>,
  { reopen }: { readonly reopen?: ((closed: S) => Promise<Storage>) | undefined } = {},
): void {
  describeSuites(name, ALL_SUITES, create, (storage) => storage.close());
  if (reopen === undefined) return;
  const reopenable = async () => {
    const storage = await create();
    return { storage, reopen: () => reopen(storage) };
  };
  describeSuites(`${name}, reopened`, DURABILITY_SUITES, reopenable, ({ storage }) => storage.close());
}
