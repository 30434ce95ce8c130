import type { ReadingRecord, ReadingRepository } from '@countersign/domain/storage';
import { markSealed, requireUnsealed } from './sealed-repositories.ts';
import { sealPart, unsealPart } from './sealed-value.ts';
import { SealingError, unavailableWithoutKey } from './sealing-error.ts';
import type { VerificationKeys } from './verification-keys.ts';

/**
 * Wraps a repository so that the data of every reading is encrypted with the data key of its verification. It opens only under the
 * file, verification and client it was saved with.
 */
export function createSealedReadings(
  inner: ReadingRepository,
  verificationKeys: VerificationKeys,
): ReadingRepository {
  requireUnsealed(inner);

  async function unsealEach(records: readonly ReadingRecord[]): Promise<readonly ReadingRecord[]> {
    const [first] = records;
    if (first === undefined) return records;
    const { verificationId } = first;
    const dataKey = await verificationKeys.find(first);
    if (dataKey === null) {
      const message = `Verification ${verificationId} has readings, but no key that they would be sealed by`;
      throw new SealingError('NO_DATA_KEY', message, { verificationId });
    }
    return records.map((record) => ({
      ...record,
      data: unsealPart(record.data, 'reading', record.fileId, record, dataKey),
    }));
  }

  const sealed: ReadingRepository = {
    async save(reading, expectedVersion) {
      // Copied before the first await, so that later changes by the caller have no effect.
      const record = structuredClone(reading);
      const dataKey = await unavailableWithoutKey(verificationKeys.findOrStore(record));
      if (dataKey === null) return false;
      const data = sealPart(record.data, 'reading', record.fileId, record, dataKey);
      return inner.save({ ...record, data }, expectedVersion);
    },
    find: (verification) => inner.find(verification).then((records) => unavailableWithoutKey(unsealEach(records))),
    remove: (places) => inner.remove(places),
  };
  markSealed(sealed);
  return sealed;
}
