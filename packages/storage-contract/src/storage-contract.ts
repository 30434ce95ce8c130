import type { CoreStorage, SomeParts, StoragePart } from '@countersign/domain/storage';
import { ALL_SUITES } from './all-suites.ts';
import { describeParts, type PartsTally } from './describe-parts.ts';
import { DURABILITY_SUITES } from './suites/durability.ts';

/**
 * Registers the storage contract with vitest: every suite of a part that the storage has, none of them optional. Call it in a test file of
 * your adapter.
 *
 * @param name heading of the tests
 * @param create returns a storage that is ready, empty and shares nothing with those before it, such as a file, a
 *   database or a schema of its own. It is called before each case; the storage is closed after the case.
 * @param options.reopen opens another storage on the data of one that was closed, which it receives as `create` returned it, so that `create`
 *   can add where the data is: `{ ...(await createMyStorage({ file })), file }`. Give it for every storage that keeps its data: it adds
 *   the suite about durability
 * @param options.without the parts (`StorageParts`) that the storage lacks. Cases that call one of them are skipped and counted. The suites of
 *   the core, with races, atomicity and `close`, run completely. The contract fails if the storage has one of these parts, or lacks another
 * @returns how many cases ran and were skipped without parts, those about durability included; complete after the last case
 *
 * @example
 * // my-storage.test.ts
 * import { createMemoryStorage } from '@countersign/memory';
 * import { storageContract } from '@countersign/storage-contract';
 *
 * storageContract('my storage', async () => createMemoryStorage());
 */
export function storageContract<S extends CoreStorage & SomeParts>(
  name: string,
  create: () => Promise<S>,
  options: {
    readonly reopen?: ((closed: S) => Promise<CoreStorage & SomeParts>) | undefined;
    readonly without?: readonly StoragePart[] | undefined;
  } = {},
): PartsTally {
  const { reopen, without = [] } = options;
  const tally = describeParts(name, ALL_SUITES, {
    create,
    subjectOf: (storage, leave) => leave(storage),
    without,
  });
  if (reopen === undefined) return tally;
  const reopened = describeParts(`${name}, reopened`, DURABILITY_SUITES, {
    create,
    subjectOf: (storage, leave) => ({
      storage: leave(storage),
      reopen: async () => leave(await reopen(storage)),
    }),
    without,
  });
  return {
    get ran() {
      return tally.ran + reopened.ran;
    },
    get skipped() {
      return tally.skipped + reopened.skipped;
    },
  };
}
