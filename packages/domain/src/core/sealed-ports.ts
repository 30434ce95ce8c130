import type { Evidence } from '../evidence/evidence-keeper.ts';
import type { CountersignPorts } from './countersign-ports.ts';
import { fillParts } from './missing-parts.ts';
import { type CorePorts, mapPorts, type StorageParts } from './storage-parts.ts';

/**
 * Returns the ports that hold personal data and secrets, sealed unless the adopter chose `'none'`. Stand-ins for missing parts are
 * added after sealing: an adopter's sealing may spread the port that it wraps, and a stand-in has no operations to spread.
 */
export function sealedPorts({
  storage,
  sealing,
  evidence,
}: Pick<CountersignPorts, 'storage' | 'sealing' | 'evidence'>): Pick<
  CorePorts & StorageParts,
  'verifications' | 'webhooks' | 'readings' | 'indexes'
> & { readonly evidence: Evidence | undefined } {
  const { verifications, dataKeys, webhooks, readings, indexes } = storage;
  if (sealing === 'none') return { ...fillParts(storage), evidence };
  // Programs in plain JavaScript get no error from the compiler.
  if (typeof sealing?.sealVerifications !== 'function') {
    throw new TypeError(
      "The port `sealing` is missing: pass createSealing() of @countersign/sealing, or 'none' to store personal data as plain text",
    );
  }
  const sealed = {
    ...mapPorts(storage, (port) => port),
    verifications: sealing.sealVerifications(verifications, dataKeys),
    webhooks: webhooks && sealing.sealWebhooks(webhooks),
    readings: readings && sealing.sealReadings(readings, dataKeys),
    indexes: indexes && sealing.sealIndexes(indexes),
  };
  return {
    ...fillParts(sealed),
    evidence: evidence && { ...evidence, store: sealing.sealEvidence(evidence.store, dataKeys) },
  };
}
