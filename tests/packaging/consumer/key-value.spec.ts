import { createMemoryStorage } from '@countersign/memory';
import { keyValueStoreContract, storageContract } from '@countersign/storage-contract';
import { createSortedMap, type KeyValueStore } from '@countersign/storage-keyvalue';

// Replace this store by yours, and the storage in memory by the storage on your store.
const createMyStore = async (): Promise<KeyValueStore> => {
  const entries = createSortedMap<unknown>();
  return {
    async run(operation) {
      const { result, writes } = operation(entries);
      const batch = Array.from(writes);
      for (const { key, value } of batch) {
        if (value === undefined) entries.delete(key);
        else entries.set(key, value);
      }
      return result;
    },
    close: async () => undefined,
  };
};
keyValueStoreContract('my store', createMyStore);
storageContract('a storage on my store', async () => createMemoryStorage());
