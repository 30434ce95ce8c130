import type { KeyValueStore } from '@countersign/storage-keyvalue';
import { describeSuites } from './describe-suites.ts';
import { CRASH_SUITES, KEY_VALUE_STORE_SUITES } from './suites/key-value-store.ts';

/**
 * Registers the contract of a store for `createKeyValueStorage` with vitest: order and bounds of ranges, values, and the promises that an
 * operation is serialisable, atomic and durable. It says which of them a store breaks. Register `storageContract` for the storage on it too.
 *
 * @param name heading of the tests
 * @param create returns an empty store that shares nothing with those before it. It is called before each case; the store is closed after the case.
 * @param options.crash opens another store on the data as they would be if the process of the first store had been killed now: on the same
 *   file, or on a copy of it. The first store stays open. Pass it for every store that keeps its data on disk: it adds the suite about crashes
 *
 * @example
 * // my-store.test.ts
 * import type { KeyValueStore } from '@countersign/storage-keyvalue';
 * import { keyValueStoreContract } from '@countersign/storage-contract';
 *
 * declare function createMyStore(): Promise<KeyValueStore>;
 *
 * keyValueStoreContract('my store', createMyStore);
 */
export function keyValueStoreContract<S extends KeyValueStore>(
  name: string,
  create: () => Promise<S>,
  { crash }: { readonly crash?: ((killed: S) => Promise<KeyValueStore>) | undefined } = {},
): void {
  describeSuites(name, KEY_VALUE_STORE_SUITES, create, (store) => store.close());
  if (crash === undefined) return;
  const crashing = async () => {
    const store = await create();
    return { store, crash: () => crash(store) };
  };
  describeSuites(`${name}, killed`, CRASH_SUITES, crashing, ({ store }) => store.close());
}
