import { closable, type Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { durabilitySuite, type ReopenableStorage } from '../../src/suites/durability.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Opens a storage on data in memory. Closing it leaves the data, and other storages on it, as they are. */
export function openMemory(data: Storage): Storage {
  return closable({ ...data, close: async () => undefined });
}

/** A storage in memory whose data outlives it. */
export function reopenableMemory(): ReopenableStorage {
  const data = createMemoryStorage();
  return { storage: openMemory(data), reopen: async () => openMemory(data) };
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

/** Rejects creations that begin after it was closed, and keeps them. */
const keepingRejected = (sound: ReopenableStorage): ReopenableStorage => {
  const { verifications } = sound.storage;
  const createCharged: typeof verifications.createCharged = (request) =>
    verifications.createCharged(request).catch(async (error: unknown) => {
      const again = await sound.reopen();
      await again.verifications.createCharged(request);
      throw error;
    });
  return { ...sound, storage: { ...sound.storage, verifications: { ...verifications, createCharged } } };
};

export const durabilityMutants: readonly Mutant<ReopenableStorage>[] = mutantsOf(durabilitySuite, {
  'forgets everything when it is closed': (sound) => ({ ...sound, reopen: async () => createMemoryStorage() }),
  'forgets keys': forgetting('apiKeys'),
  'forgets the audit log': forgetting('audit'),
  'forgets data keys': forgetting('dataKeys'),
  'forgets appearances': forgetting('appearances'),
  'forgets exports': forgetting('exports'),
  'forgets hand-over codes': forgetting('handOvers'),
  'forgets readings': forgetting('readings'),
  'forgets indexes': forgetting('indexes'),
  'forgets mails': forgetting('mails'),
  'forgets policies': forgetting('retention'),
  'forgets endpoints and leases': forgetting('webhooks'),
  'acknowledges creations that it has not kept': losingLast,
  'keeps creations that it rejected': keepingRejected,
});
