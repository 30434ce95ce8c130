import type { Evidence } from '../evidence/evidence-keeper.ts';
import type { CountersignPorts } from './countersign-ports.ts';
import type { Storage } from './storage.ts';
import type { CorePorts, StorageParts } from './storage-parts.ts';

/** Returns the ports that hold personal data and secrets, sealed unless the adopter chose `'none'`. */
export function sealedPorts({
  storage,
  sealing,
  evidence,
}: Pick<CountersignPorts, 'sealing' | 'evidence'> & { readonly storage: CorePorts & StorageParts }): {
  readonly verifications: Storage['verifications'];
  readonly evidence: Evidence | undefined;
  readonly webhooks: Storage['webhooks'];
  readonly readings: Storage['readings'];
  readonly indexes: Storage['indexes'];
} {
  const { verifications, dataKeys, webhooks, readings, indexes } = storage;
  if (sealing === 'none') return { verifications, evidence, webhooks, readings, indexes };
  // Programs in plain JavaScript get no error from the compiler.
  if (typeof sealing?.sealVerifications !== 'function') {
    throw new TypeError(
      "The port `sealing` is missing: pass createSealing() of @countersign/sealing, or 'none' to store personal data as plain text",
    );
  }
  return {
    verifications: sealing.sealVerifications(verifications, dataKeys),
    evidence: evidence && { ...evidence, store: sealing.sealEvidence(evidence.store, dataKeys) },
    webhooks: sealing.sealWebhooks(webhooks),
    readings: sealing.sealReadings(readings, dataKeys),
    indexes: sealing.sealIndexes(indexes),
  };
}
