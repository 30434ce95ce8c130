export { createKeyRing } from './key-ring.ts';
export type {
  DataKeyContext,
  IndexKeyContext,
  KeyWrapping,
  WebhookSecretContext,
  WrappingContext,
} from './key-wrapping.ts';
export type { RewrapOptions, RotationProgress } from './rewrap-all.ts';
export { type RotationOptions, rotateDataKeys } from './rotate-data-keys.ts';
export { createSealedEvidenceStore, SEALED_FILE_ADDS } from './sealed-evidence-store.ts';
export { type IndexKeyRotationOptions, rotateIndexKeys } from './sealed-indexes.ts';
export { createSealedStorage } from './sealed-storage.ts';
export { rotateWebhookSecrets, type SecretRotationOptions } from './sealed-webhooks.ts';
export { createSealing } from './sealing.ts';
export { SealingError, type SealingErrorCode } from './sealing-error.ts';
