import { deserialize, serialize } from 'node:v8';
import {
  createKeyValueStorage,
  type KeyRange,
  type KeyValueStorage,
  type KeyValueStore,
  type StoredEntry,
} from '@countersign/storage-keyvalue';
import { open } from 'lmdb';

interface LmdbOptions {
  /** Default: true. Without it, a power failure can lose acknowledged writes. */
  readonly waitForDisk?: boolean | undefined;
}

/** Opens a storage in a folder, on LMDB. A write is answered once it is on the disk. */
export function createLmdbStorage(folder: string, options: LmdbOptions = {}): KeyValueStorage {
  return createKeyValueStorage(openLmdbStore(folder, options));
}

/**
 * Opens the key-value store in a folder. Each operation is one transaction, which holds the only lock for writing, so that other processes
 * wait.
 */
export function openLmdbStore(folder: string, { waitForDisk = true }: LmdbOptions = {}): KeyValueStore {
  const path = { path: folder, noSubdir: false };
  const database = open<Buffer, Buffer>({
    ...path,
    encoding: 'binary',
    keyEncoding: 'binary',
    noSync: !waitForDisk,
  });
  const reads = {
    get(key: string): unknown {
      const value = database.get(Buffer.from(key));
      return value && deserialize(value);
    },
    range({ from, until, backwards, limit }: KeyRange): Iterable<StoredEntry> {
      const [first, end] = [Buffer.from(from), Buffer.from(until)];
      const range = backwards
        ? { start: end, exclusiveStart: true, end: first, inclusiveEnd: true, reverse: true, limit }
        : { start: first, end, limit };
      return database.getRange(range).map(({ key, value }) => [key.toString(), deserialize(value)] as const);
    },
  };
  return {
    // A transaction whose function throws is undone.
    run: async (operation) =>
      database.transactionSync(() => {
        const { result, writes } = operation(reads);
        for (const { key, value } of writes) {
          if (value === undefined) database.removeSync(Buffer.from(key));
          else database.putSync(Buffer.from(key), serialize(value));
        }
        return result;
      }),
    close: () => database.close(),
  };
}
