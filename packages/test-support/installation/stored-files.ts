import type { EvidenceFile } from '@countersign/domain/evidence';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import type { ServerProcess } from '../processes/server-process.ts';
import { openStorage } from './operator.ts';
import { secretKeysOf } from './secret-keys.ts';

/**
 * Reads from a server's database which files a verification names, in the order of their upload. Also those of steps that are not
 * completed, which the API does not list.
 */
export async function storedFilesOf(
  place: Pick<ServerProcess, 'databaseFile' | 'dataDir' | 'env'>,
  id: string,
): Promise<readonly EvidenceFile[]> {
  const storage = await openStorage(place);
  try {
    const keys = createKeyRing(secretKeysOf(place));
    const record = await createSealedStorage(storage, { keys }).verifications.findForAnyClient(id);
    if (record === null) throw new Error(`there is no verification ${id}`);
    const { files = [] } = record.reviewData as { readonly files?: readonly EvidenceFile[] };
    return files;
  } finally {
    await storage.close();
  }
}
