import type { Storage } from '@countersign/domain';
import type { KeyWrapping } from './key-wrapping.ts';
import { createSealedVerifications } from './sealed-verifications.ts';
import { createVerificationKeys } from './verification-keys.ts';

/**
 * The storage given, with what verifications hold of people (`answers` and `reviewData`) sealed on the way in and unsealed
 * on the way out, each verification by a data key of its own that `keys` wraps. Everything else passes through, own
 * properties beyond the port included. Records come out without their data key, which nobody above has a use for.
 *
 * What reviewers (`queue`) and a client's staff (`browse`) look through comes without `answers` and `reviewData`: nothing is
 * unsealed for it, so one damaged verification does not fail them. In a client's list and in what is due in sandboxes, a
 * verification that cannot be unsealed is an `unreadableRecord`: it keeps its place, and its `answers` and `reviewData`
 * throw the `SealingError` when they are read.
 *
 * What was changed, put into another row, client or field, or stands there in the clear is a `SealingError`; so is what
 * a key sealed that `keys` does not know. Who may write to the database can still empty a value, or bring back one that
 * stood there before.
 */
export function createSealedStorage<S extends Storage>(
  storage: S,
  options: { readonly keys: KeyWrapping },
): Storage & Omit<S, keyof Storage> {
  const { verifications, apiKeys, clients, outbox, dataKeys, audit } = storage;
  const verificationKeys = createVerificationKeys({ keys: options.keys, dataKeys });
  return {
    ...storage,
    verifications: createSealedVerifications(verifications, verificationKeys),
    apiKeys,
    clients,
    outbox,
    dataKeys,
    audit,
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}
