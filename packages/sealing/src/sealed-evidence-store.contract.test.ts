import type { DataKeyRepository, WrappedDataKey } from '@countersign/domain/storage';
import { createMemoryEvidenceStore } from '@countersign/memory';
import { evidenceStoreContract } from '@countersign/storage-contract';
import { OLD } from '../test-support/keys.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedEvidenceStore } from './sealed-evidence-store.ts';

/** Data keys of any verification, so that the contract's made-up verifications have one. */
function createDataKeys(): Pick<DataKeyRepository, 'find' | 'replace'> {
  const dataKeys = new Map<string, WrappedDataKey>();
  const keyOf = (clientId: string, verificationId: string) => `${clientId}/${verificationId}`;
  return {
    find: async (clientId, verificationId) => dataKeys.get(keyOf(clientId, verificationId)) ?? null,
    replace: async ({ clientId, verificationId, expected, next }) => {
      const key = keyOf(clientId, verificationId);
      if (dataKeys.get(key)?.wrapped !== expected?.wrapped) return { outcome: 'conflict' };
      dataKeys.set(key, next);
      return { outcome: 'replaced' };
    },
  };
}

evidenceStoreContract('sealed evidence store', async () =>
  createSealedEvidenceStore(createMemoryEvidenceStore(), {
    keys: createKeyRing([OLD]),
    dataKeys: createDataKeys(),
  }),
);
