import { closable, type Storage, type TransferTarget } from '@countersign/domain/storage';
import { createApiKeys } from './api-keys.ts';
import { createAppearances } from './appearances.ts';
import { createAuditLog } from './audit-log.ts';
import { createClients } from './clients.ts';
import { createDataKeys } from './data-keys.ts';
import { createExports } from './exports.ts';
import { createMails } from './mails.ts';
import { createRetention } from './retention/retention-repository.ts';
import { createTables } from './tables.ts';
import { createTransfer } from './transfer.ts';
import { createVerifications } from './verifications.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** A storage in memory, which can be copied from or into. */
export interface MemoryStorage extends Storage {
  /** All of it, to be copied from or into (`copyStorage`). */
  readonly transfer: TransferTarget;
}

/**
 * Creates the whole storage in memory, for tests and trials. Each operation runs without interruption, so it is atomic;
 * values are copied on their way in and out, so that no caller holds what is stored. It keeps nothing after `close`.
 *
 * @example
 * const storage = createMemoryStorage();
 * await storage.clients.list(); // []
 */
export function createMemoryStorage(): MemoryStorage {
  const tables = createTables();
  const storage = closable({
    verifications: createVerifications(tables),
    apiKeys: createApiKeys(tables),
    clients: createClients(tables),
    webhooks: createWebhooks(tables),
    dataKeys: createDataKeys(tables),
    retention: createRetention(tables),
    exports: createExports(tables),
    mails: createMails(tables),
    appearances: createAppearances(tables),
    audit: createAuditLog(tables),
    async ping() {
      if (tables.hasUnfinishedCopy) throw new Error('A copy into this storage is not finished');
    },
    close: async () => undefined,
  });
  return { ...storage, transfer: createTransfer(tables) };
}
