import type { ReadingRepository } from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

/** Readings: at most one of each file. */
export function createReadings({ readings, verifications }: Tables): Sync<ReadingRepository> {
  return {
    save(reading, expectedVersion) {
      const { clientId, verificationId } = reading;
      const owner = verifications.get(clientId, verificationId);
      if (owner?.version !== expectedVersion || owner.erasedAt !== null) return false;
      readings.put(reading);
      return true;
    },
    find: ({ clientId, verificationId }) => readings.all(clientId, verificationId),
    remove(places) {
      for (const { clientId, verificationId, fileId } of places) {
        readings.remove(clientId, verificationId, fileId);
      }
    },
  };
}
