import {
  type CoreStorage,
  closable,
  mapPorts,
  type SomeParts,
  type Storage,
  type StoragePart,
} from '@countersign/domain/storage';
import type { KeyWrapping } from './key-wrapping.ts';
import { createSealedIndexes } from './sealed-indexes.ts';
import { createSealedReadings } from './sealed-readings.ts';
import { markSealed } from './sealed-repositories.ts';
import { createSealedVerifications } from './sealed-verifications.ts';
import { createSealedWebhooks } from './sealed-webhooks.ts';
import { createVerificationKeys } from './verification-keys.ts';

/**
 * Wraps a storage, which may lack parts, so that the personal data of verifications (`answers`, `reviewData` and `notify`) and of readings (`data`) is encrypted on the way in and
 * decrypted on the way out, with a data key per verification that `keys` wraps. `keys` encrypts the
 * secrets of webhooks and the index keys of clients too. Everything else passes through, including properties beyond the port. Records come out without their data key.
 *
 * `queue` and `browse` return records without `answers`, `reviewData` and `notify` and decrypt nothing, so one damaged verification does not
 * fail them. An `unreadableRecord` of the inner storage keeps its place in every list. In a client's list and among due sandbox verifications, a verification that cannot be decrypted is an
 * `unreadableRecord`: it keeps its place, and reading its `answers` or `reviewData` throws what reading it alone rejects with.
 *
 * A value that was changed, moved to another row, client or field, or stored as plain text is a `SealingError`. One under an
 * unknown key is `SERVICE_UNAVAILABLE` with the `SealingError` as its cause: another server may hold the key. An attacker who can write to the database can still empty a value or restore an older one.
 */
export function createSealedStorage<S extends CoreStorage & SomeParts>(
  storage: S,
  options: { readonly keys: KeyWrapping },
): CoreStorage & Pick<S, keyof S & StoragePart> & Omit<S, keyof Storage> {
  const { verifications, dataKeys, webhooks, readings, indexes }: CoreStorage & SomeParts = storage;
  const verificationKeys = createVerificationKeys({ keys: options.keys, dataKeys });
  const sealed = {
    ...storage,
    ...mapPorts(storage, (port) => port),
    verifications: createSealedVerifications(verifications, verificationKeys),
    readings: readings && createSealedReadings(readings, verificationKeys),
    indexes: indexes && createSealedIndexes(indexes, options.keys),
    webhooks: webhooks && createSealedWebhooks(webhooks, options.keys),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
  // A write is encrypted before it reaches the storage: `close` waits for both.
  const ports = closable(sealed);
  for (const port of [ports.verifications, ports.readings, ports.indexes, ports.webhooks])
    if (port !== undefined) markSealed(port);
  return { ...sealed, ...ports };
}
