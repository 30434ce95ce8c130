import type { Sealing } from '@countersign/domain/storage';
import type { KeyWrapping } from './key-wrapping.ts';
import { createSealedEvidenceStore } from './sealed-evidence-store.ts';
import { createSealedIndexes } from './sealed-indexes.ts';
import { createSealedReadings } from './sealed-readings.ts';
import { createSealedVerifications } from './sealed-verifications.ts';
import { createSealedWebhooks } from './sealed-webhooks.ts';
import { createVerificationKeys } from './verification-keys.ts';

/**
 * Creates the port `sealing` of `createCountersign`: answers, review data, readings and files are encrypted with a data key per
 * verification that `keys` wraps, and secrets of webhooks and index keys with `keys`.
 *
 * @example
 * const sealing = createSealing({ keys: createKeyRing(secretKeys) });
 * const countersign = createCountersign({ storage, sealing, … }, settings);
 */
export function createSealing({ keys }: { readonly keys: KeyWrapping }): Sealing {
  return {
    sealVerifications: (inner, dataKeys) =>
      createSealedVerifications(inner, createVerificationKeys({ keys, dataKeys })),
    sealReadings: (inner, dataKeys) => createSealedReadings(inner, createVerificationKeys({ keys, dataKeys })),
    sealIndexes: (inner) => createSealedIndexes(inner, keys),
    sealWebhooks: (inner) => createSealedWebhooks(inner, keys),
    sealEvidence: (inner, dataKeys) => createSealedEvidenceStore(inner, { keys, dataKeys }),
  };
}
