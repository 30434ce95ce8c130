import { createCloseGate, type Storage, type TransferTarget } from '@countersign/domain/storage';
import { createApiKeys } from './api-keys.ts';
import { createAuditLog } from './audit-log.ts';
import { createAppearances, createClients } from './clients.ts';
import { createExports } from './exports.ts';
import { createHandOvers } from './hand-overs.ts';
import { createIndexes } from './indexes.ts';
import { createMails } from './mails.ts';
import { createReadings } from './readings.ts';
import { createRetention } from './retention.ts';
import { createSession } from './session.ts';
import type { KeyValueStore } from './store.ts';
import { createTables, type Sync } from './tables.ts';
import { createTransfer } from './transfer.ts';
import { createDataKeys, createVerifications } from './verifications.ts';
import { createWebhooks } from './webhooks.ts';

/** A storage on a key-value store, which can be copied from or into. */
export interface KeyValueStorage extends Storage {
  /** All of it, to be copied from or into (`copyStorage`). */
  readonly transfer: TransferTarget;
}

/**
 * Creates the whole storage on an ordered key-value store. Each operation is one of the store: of operations at the same time, one runs
 * after the other, and none sees half of another. Creations, changes and reads of one record read the same number of keys, however many records
 * there are, and most jobs read what is due up to their limit. Lists, counts, searches and filters of the audit log read all records of a client, or of all clients, and filter and
 * sort them in the program.
 *
 * @example
 * import { createKeyValueStorage, createSortedMap, type KeyValueStore } from '@countersign/storage-keyvalue';
 *
 * const map = createSortedMap<unknown>();
 * const store: KeyValueStore = {
 *   async run(operation) {
 *     const { result, writes } = operation(map);
 *     for (const { key, value } of [...writes]) {
 *       if (value === undefined) map.delete(key);
 *       else map.set(key, value);
 *     }
 *     return result;
 *   },
 *   close: async () => undefined,
 * };
 * const storage = createKeyValueStorage(store);
 */
export function createKeyValueStorage(store: KeyValueStore): KeyValueStorage {
  const gate = createCloseGate(() => store.close());
  const session = createSession({ run: (operation) => gate.run(() => store.run(operation)) });
  const tables = createTables(session);

  function inTransactions<P extends object>(port: Sync<P>): P {
    const operations = Object.entries<(...input: never[]) => unknown>(port as never).map(([name, operation]) => [
      name,
      (...input: never[]) => session.run(operation, input),
    ]);
    return Object.fromEntries(operations) as P;
  }

  return {
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
    ping: () =>
      session.run(() => {
        if (tables.copies.get()) throw new Error('A copy into this storage is not finished');
      }, []),
    close: gate.close,
    transfer: createTransfer(session, tables),
  };
}
