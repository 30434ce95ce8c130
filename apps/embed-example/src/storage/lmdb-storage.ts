import { deserialize, serialize } from 'node:v8';
import type { Storage } from '@countersign/domain/storage';
import { createKeyValueStorage, type KeyPart, type Table } from '@countersign/storage-keyvalue';
import { type Database, open } from 'lmdb';

/** Longest part of a key. Ids that come in with requests can be any text: a longer one names nothing. */
const PART_MAX = 200;

/** Ends a part of a key in LMDB's order of keys. */
const NUL = '\0';

/** The most tables of the environment. */
const MAX_TABLES = 32;

/**
 * Opens a storage in a folder, on LMDB. Each operation is one transaction, which holds the only lock for writing, also against
 * other processes. A write is answered once it is on the disk.
 * @param options.waitForDisk default: true. Without it, a power failure can lose acknowledged writes
 */
export function createLmdbStorage(
  folder: string,
  { waitForDisk = true }: { readonly waitForDisk?: boolean | undefined } = {},
): Storage {
  const path = { path: folder, noSubdir: false };
  const root = open({ ...path, maxDbs: MAX_TABLES, encoding: 'binary', noSync: !waitForDisk });
  return createKeyValueStorage({
    table: (name) => tableOf(root.openDB({ name, encoding: 'binary' })),
    // A transaction whose operation throws is undone.
    transact: (operation) => root.transactionSync(operation),
    close: () => root.close(),
  });
}

const isPart = (part: KeyPart): boolean =>
  typeof part === 'number' || (part.length <= PART_MAX && part.isWellFormed() && !part.includes(NUL));

function tableOf<V>(db: Database<Buffer, KeyPart[]>): Table<V> {
  const read = (bytes: Buffer): V => deserialize(bytes) as V;
  return {
    get(...key) {
      const bytes = key.every(isPart) ? db.get([...key]) : undefined;
      return bytes === undefined ? undefined : read(bytes);
    },
    all(...prefix) {
      if (!prefix.every(isPart)) return [];
      // U+FFFF comes after every part that a key here can have next.
      const range = prefix.length === 0 ? {} : { start: [...prefix], end: [...prefix, '\uffff'] };
      return [...db.getRange(range)].map(({ value }) => read(value));
    },
    put(key, value) {
      if (!key.every(isPart)) throw new Error(`The key ${JSON.stringify(key)} cannot be stored`);
      db.putSync([...key], serialize(value));
    },
    remove(...key) {
      if (key.every(isPart)) db.removeSync([...key]);
    },
  };
}
