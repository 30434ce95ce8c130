import type { Storage } from '@countersign/domain';
import { createApiKeys } from './api-keys.ts';
import { createClients } from './clients.ts';
import { createOutbox } from './outbox.ts';
import { createTables } from './tables.ts';
import { createVerifications } from './verifications.ts';

/**
 * The whole storage in memory, for tests and trials. Each operation runs without giving way, which makes it atomic;
 * values are copied on their way in and out, so that no caller holds what is stored.
 */
export function createMemoryStorage(): Storage {
  const tables = createTables();
  return {
    verifications: createVerifications(tables),
    apiKeys: createApiKeys(tables),
    clients: createClients(tables),
    outbox: createOutbox(tables),
    ping: async () => undefined,
    close: async () => undefined,
  };
}
