import { closable, type Storage, type TransferTarget } from '@countersign/domain/storage';
import { createApiKeys } from './api-keys.ts';
import { createAuditLog } from './audit-log.ts';
import { createAppearances, createClients } from './clients.ts';
import { createExports } from './exports.ts';
import { createHandOvers } from './hand-overs.ts';
import { createIndexes } from './indexes.ts';
import { createMails } from './mails.ts';
import { createReadings } from './readings.ts';
import { createRetention } from './retention.ts';
import { createTables, type KeyValueStore, type Sync } from './tables.ts';
import { createTransfer } from './transfer.ts';
import { createDataKeys, createVerifications } from './verifications.ts';
import { createWebhooks } from './webhooks.ts';

/** A storage on a key-value store, which can be copied from or into. */
export interface KeyValueStorage extends Storage {
  /** All of it, to be copied from or into (`copyStorage`). */
  readonly transfer: TransferTarget;
}

/**
 * Creates the whole storage on an ordered key-value store. Each operation is one transaction of the store: of operations
 * at the same time, one runs after the other, and none sees half of another. It filters and sorts in the program, and
 * reads all verifications of a client for a list.
 */
export function createKeyValueStorage(store: KeyValueStore): KeyValueStorage {
  const tables = createTables(store);

  function inTransactions<P extends object>(port: Sync<P>): P {
    const operations = Object.entries<(...input: never[]) => unknown>(port as never).map(([name, operation]) => [
      name,
      async (...input: never[]) => store.transact(() => operation(...input)),
    ]);
    return Object.fromEntries(operations) as P;
  }

  const storage = closable({
    clients: inTransactions<Storage['clients']>(createClients(tables)),
    appearances: inTransactions<Storage['appearances']>(createAppearances(tables)),
    apiKeys: inTransactions<Storage['apiKeys']>(createApiKeys(tables)),
    verifications: inTransactions<Storage['verifications']>(createVerifications(tables)),
    dataKeys: inTransactions<Storage['dataKeys']>(createDataKeys(tables)),
    webhooks: inTransactions<Storage['webhooks']>(createWebhooks(tables)),
    mails: inTransactions<Storage['mails']>(createMails(tables)),
    exports: inTransactions<Storage['exports']>(createExports(tables)),
    handOvers: inTransactions<Storage['handOvers']>(createHandOvers(tables)),
    readings: inTransactions<Storage['readings']>(createReadings(tables)),
    indexes: inTransactions<Storage['indexes']>(createIndexes(tables)),
    retention: inTransactions<Storage['retention']>(createRetention(tables)),
    // Counted when they are read, so they never differ.
    counters: inTransactions<Storage['counters']>({ differences: () => [], recount: () => undefined }),
    audit: inTransactions<Storage['audit']>(createAuditLog(tables)),
    ping: async () => {
      if (tables.copies.get('unfinished')) throw new Error('A copy into this storage is not finished');
    },
    close: () => store.close(),
  });
  return { ...storage, transfer: createTransfer(store, tables) };
}
