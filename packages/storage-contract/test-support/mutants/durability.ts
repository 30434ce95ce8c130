import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { durabilitySuite, type ReopenableStorage } from '../../src/suites/durability.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** A storage in memory that stays as it is when it is closed. */
export function reopenableMemory(): ReopenableStorage {
  const storage = createMemoryStorage();
  return { storage, reopen: async () => storage };
}

/** Forgets some ports when it is closed. */
const forgetting =
  (...ports: readonly (keyof Storage)[]) =>
  (sound: ReopenableStorage): ReopenableStorage => ({
    ...sound,
    reopen: async () => {
      const empty = createMemoryStorage();
      const again = await sound.reopen();
      return { ...again, ...Object.fromEntries(ports.map((port) => [port, empty[port]])) };
    },
  });

/** Answers creations before they are kept. */
const losingLast = (sound: ReopenableStorage): ReopenableStorage => {
  let isClosed = false;
  const { verifications } = sound.storage;
  const storage: Storage = {
    ...sound.storage,
    verifications: {
      ...verifications,
      async createCharged(request) {
        await Promise.resolve();
        return isClosed ? { outcome: 'created' } : verifications.createCharged(request);
      },
    },
    close: async () => {
      isClosed = true;
    },
  };
  return { ...sound, storage };
};

export const durabilityMutants: readonly Mutant<ReopenableStorage>[] = mutantsOf(durabilitySuite, {
  'forgets everything when it is closed': (sound) => ({ ...sound, reopen: async () => createMemoryStorage() }),
  'forgets keys': forgetting('apiKeys'),
  'forgets the audit log': forgetting('audit'),
  'forgets data keys': forgetting('dataKeys'),
  'forgets faces': forgetting('faces'),
  'forgets exports': forgetting('exports'),
  'forgets mails': forgetting('mails'),
  'forgets policies': forgetting('retention'),
  'forgets endpoints and leases': forgetting('webhooks'),
  'acknowledges creations that it has not kept': losingLast,
});
