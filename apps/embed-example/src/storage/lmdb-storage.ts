import { closable, type Storage } from '@countersign/domain/storage';
import { createApiKeys } from './api-keys.ts';
import { createAuditLog } from './audit-log.ts';
import { createAppearances, createClients } from './clients.ts';
import { createExports } from './exports.ts';
import { createMails } from './mails.ts';
import { createRetention } from './retention.ts';
import { openTables, type Sync } from './tables.ts';
import { createDataKeys, createVerifications } from './verifications.ts';
import { createWebhooks } from './webhooks.ts';

/**
 * Opens a storage in a folder, on LMDB. Each operation is one transaction, which holds the only lock for writing: of operations at
 * once, also of several processes, one runs after the other, and none sees half of another. A write is answered once it is on the disk.
 * @param options.waitForDisk default: true. Without it, a power failure can lose acknowledged writes
 */
export function createLmdbStorage(
  folder: string,
  { waitForDisk = true }: { readonly waitForDisk?: boolean | undefined } = {},
): Storage {
  const { root, tables } = openTables(folder, waitForDisk);

  function inTransactions<P extends object>(port: Sync<P>): P {
    const operations = Object.entries<(...input: never[]) => unknown>(port as never).map(([name, operation]) => [
      name,
      // A transaction whose operation throws is undone.
      async (...input: never[]) => root.transactionSync(() => operation(...input)),
    ]);
    return Object.fromEntries(operations) as P;
  }

  return closable({
    clients: inTransactions<Storage['clients']>(createClients(tables)),
    appearances: inTransactions<Storage['appearances']>(createAppearances(tables)),
    apiKeys: inTransactions<Storage['apiKeys']>(createApiKeys(tables)),
    verifications: inTransactions<Storage['verifications']>(createVerifications(tables)),
    dataKeys: inTransactions<Storage['dataKeys']>(createDataKeys(tables)),
    webhooks: inTransactions<Storage['webhooks']>(createWebhooks(tables)),
    mails: inTransactions<Storage['mails']>(createMails(tables)),
    exports: inTransactions<Storage['exports']>(createExports(tables)),
    retention: inTransactions<Storage['retention']>(createRetention(tables)),
    audit: inTransactions<Storage['audit']>(createAuditLog(tables)),
    ping: async () => {
      tables.clients.get('');
    },
    close: () => root.close(),
  });
}
