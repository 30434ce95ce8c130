import {
  createSortedMap,
  type KeyValueStore,
  type SortedMap,
  type StoreWrite,
} from '@countersign/storage-keyvalue';
import type { CrashingStore } from '../src/suites/key-value-store.ts';

/** Makes writes in a map. */
export function apply(map: SortedMap<unknown>, writes: Iterable<StoreWrite>): void {
  for (const { key, value } of writes) {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
}

/** A sound store on a map. */
export function storeOn(map: SortedMap<unknown>): KeyValueStore {
  return {
    async run(operation) {
      const { result, writes } = operation(map);
      apply(map, [...writes]);
      return result;
    },
    close: async () => undefined,
  };
}

/** A sound store in memory whose data outlive it. */
export function crashingStore(): CrashingStore {
  const map = createSortedMap<unknown>();
  return { store: storeOn(map), crash: async () => storeOn(map) };
}
