import type { EvidenceStore } from '../evidence/evidence-store.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { DataKeyRepository } from './data-key-repository.ts';

/** Where a sealing layer keeps the wrapped data key of each verification. */
export type SealedDataKeys = Pick<DataKeyRepository, 'find' | 'replace'>;

/**
 * Encrypts personal data before it is stored and decrypts it when it is read. `createSealing` of `@countersign/sealing` makes
 * one. The core wraps the storage and the evidence store that it receives: pass both as they are.
 */
export interface Sealing {
  /** Wraps the repository: `answers` and `reviewData` of every record are encrypted in `inner`. */
  sealVerifications(inner: VerificationRepository, dataKeys: SealedDataKeys): VerificationRepository;
  /** Wraps the store: the content of every file is encrypted in `inner`. */
  sealEvidence(inner: EvidenceStore, dataKeys: SealedDataKeys): EvidenceStore;
}
