export { createKeyRing } from './key-ring.ts';
export type { DataKeyContext, KeyWrapping } from './key-wrapping.ts';
export { type RotationOptions, type RotationProgress, rotateDataKeys } from './rotate-data-keys.ts';
export { createSealedEvidenceStore, SEALED_FILE_ADDS } from './sealed-evidence-store.ts';
export { createSealedStorage } from './sealed-storage.ts';
export { createSealing } from './sealing.ts';
export { SealingError, type SealingErrorCode } from './sealing-error.ts';
