import { createMemoryStorage } from '@countersign/memory';
import { keyValueStoreContract, storageContract } from '@countersign/storage-contract';
import { createSortedMap, type KeyValueStore } from '@countersign/storage-keyvalue';

// Put your store in the place of this one, and the storage on it in the place of that in memory.
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
