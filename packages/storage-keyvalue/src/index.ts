export { createKeyValueStorage, type KeyValueStorage } from './key-value-storage.ts';
export type { KeyPart, KeyValueStore, Table } from './tables.ts';
