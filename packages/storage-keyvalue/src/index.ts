export { createKeyValueStorage, type KeyValueStorage } from './key-value-storage.ts';
export { createSortedMap, type SortedMap } from './sorted-map.ts';
export type { KeyRange, KeyValueStore, StoredEntry, StoreOutcome, StoreReads, StoreWrite } from './store.ts';
