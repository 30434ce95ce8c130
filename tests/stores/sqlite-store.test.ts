// Takes some seconds: every case of the kit has a file of its own.
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { keyValueStoreContract, storageContract } from '@countersign/storage-contract';
import {
  createKeyValueStorage,
  type KeyRange,
  type KeyValueStore,
  type StoredEntry,
  type StoreReads,
} from '@countersign/storage-keyvalue';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

interface Row {
  readonly key: string;
  readonly value: Buffer;
}

/** Opens a store of keys and values in one table of a file. Each operation is a transaction with the lock for writing. */
function openStore(file: string): KeyValueStore {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // A killed process loses nothing. For power failures, it would be FULL.
  database.pragma('synchronous = NORMAL');
  database.exec('CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID');
  const find = database.prepare<[string], Row>('SELECT key, value FROM entries WHERE key = ?');
  const within = 'SELECT key, value FROM entries WHERE key >= ? AND key < ? ORDER BY key';
  const forwards = database.prepare<[string, string, number], Row>(`${within} LIMIT ?`);
  const backwards = database.prepare<[string, string, number], Row>(`${within} DESC LIMIT ?`);
  const set = database.prepare('INSERT OR REPLACE INTO entries (key, value) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM entries WHERE key = ?');

  const reads: StoreReads = {
    get(key) {
      const row = find.get(key);
      return row && deserialize(row.value);
    },
    range({ from, until, limit, ...range }: KeyRange): StoredEntry[] {
      const rows = (range.backwards ? backwards : forwards).all(from, until, limit);
      return rows.map(({ key, value }) => [key, deserialize(value)]);
    },
  };
  return {
    async run(operation) {
      const transaction = database.transaction(() => {
        const { result, writes } = operation(reads);
        for (const { key, value } of writes) {
          if (value === undefined) remove.run(key);
          else set.run(key, serialize(value));
        }
        return result;
      });
      return transaction.immediate();
    },
    async close() {
      database.close();
    },
  };
}

/** A file for the database of one case. */
const newFile = () => join(temporaryDirectory(onTestFinished), 'entries.db');

keyValueStoreContract(
  'a table of SQLite',
  async () => {
    const file = newFile();
    return { ...openStore(file), file };
  },
  { crash: async ({ file }) => openStore(file) },
);

storageContract(
  'a storage on a table of SQLite',
  async () => {
    const file = newFile();
    return { ...createKeyValueStorage(openStore(file)), file };
  },
  { reopen: async ({ file }) => createKeyValueStorage(openStore(file)) },
);
