import type { EvidenceStore } from '@countersign/domain/evidence';
import { describeSuites } from './describe-suites.ts';
import { EVIDENCE_SUITES } from './suites/evidence.ts';

/**
 * Registers the contract of evidence stores with vitest. Call it in a test file of your store.
 *
 * The cases put files of made-up clients and verifications; their ids consist of letters, digits and hyphens.
 *
 * @param name heading of the tests
 * @param create returns an empty store that shares nothing with those before it. It is called before each case.
 *
 * @example
 * // my-evidence-store.test.ts
 * import { createMemoryEvidenceStore } from '@countersign/memory';
 * import { evidenceStoreContract } from '@countersign/storage-contract';
 *
 * evidenceStoreContract('my evidence store', async () => createMemoryEvidenceStore());
 */
export function evidenceStoreContract(name: string, create: () => Promise<EvidenceStore>): void {
  describeSuites(name, EVIDENCE_SUITES, create, async () => undefined);
}
