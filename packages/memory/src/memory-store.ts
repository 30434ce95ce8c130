import { createSortedMap, type KeyValueStore } from '@countersign/storage-keyvalue';

/** Creates a key-value store in memory. Operations are synchronous, so one runs after the other. */
export function createMemoryStore(): KeyValueStore {
  const entries = createSortedMap<unknown>();
  return {
    async run(operation) {
      const { result, writes } = operation(entries);
      // If they cannot be listed, none is made.
      const batch = Array.from(writes);
      for (const { key, value } of batch) {
        if (value === undefined) entries.delete(key);
        else entries.set(key, value);
      }
      return result;
    },
    close: async () => undefined,
  };
}
