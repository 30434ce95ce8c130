import { createKeyValueStorage, type KeyValueStorage } from '@countersign/storage-keyvalue';
import { createMemoryStore } from './memory-store.ts';

/** A storage in memory, which can be copied from or into. */
export type MemoryStorage = KeyValueStorage;

/**
 * Creates the whole storage in memory, for tests and trials: `createKeyValueStorage` over a sorted map. Each operation runs without
 * interruption, so it is atomic; values are copied on their way in and out, so that no caller holds what is stored.
 *
 * @example
 * const storage = createMemoryStorage();
 * await storage.clients.list(); // []
 */
export function createMemoryStorage(): MemoryStorage {
  return createKeyValueStorage(createMemoryStore());
}
