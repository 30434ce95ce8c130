import { hash } from 'node:crypto';
import type { JsonObject } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import { LIST } from '@countersign/test-support/records/queries';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';

export const LAST_NAME = 'Quisling-Undergrove';

/** The content of each file that `givenSealedVerifications` names. It stores none. */
export const FILE_CONTENT: Uint8Array = Uint8Array.of(1, 2, 3);

/**
 * Creates `count` verifications of a client, numbered from `first`, with answers sealed by the newest secret. Each names the
 * files `fileIds`.
 */
export async function givenSealedVerifications(
  storage: Storage,
  options: {
    clientId: string;
    count: number;
    first?: number;
    secretKeys: readonly Uint8Array[];
    fileIds?: readonly string[];
    /** Whether the files have thumbnails, of the same content. Default false. */
    thumbnails?: boolean;
  },
): Promise<void> {
  const { clientId, count, first = 0, secretKeys, fileIds = [], thumbnails = false } = options;
  const reviewData: JsonObject =
    fileIds.length === 0 ? {} : { files: fileIds.map((id) => fileOf(id, thumbnails)) };
  const { verifications } = createSealedStorage(storage, { keys: createKeyRing(secretKeys) });
  for (let n = first; n < first + count; n += 1) {
    const id = `0198c0de-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const answers = { lastName: LAST_NAME };
    const record = pendingRecord({ clientId, id, subjectReference: `subject-${n}`, answers, reviewData });
    await verifications.createCharged(createRequest(record, { eventId: id.replace('0198c0de', '0198c0df') }));
  }
}

/** Reads the last name in each of a client's verifications, unsealed with these secrets only. */
export async function lastNamesIn(
  storage: Storage,
  { clientId, secretKeys }: { clientId: string; secretKeys: readonly Uint8Array[] },
): Promise<unknown[]> {
  const { verifications } = createSealedStorage(storage, { keys: createKeyRing(secretKeys) });
  const { records } = await verifications.list(clientId, {
    ...LIST,
    sortBy: 'subjectReference',
    sortOrder: 'asc',
    limit: 1_000,
  });
  return records.map(({ answers }) => answers.lastName);
}

function fileOf(id: string, hasThumbnail: boolean): JsonObject {
  const content = { size: FILE_CONTENT.byteLength, sha256: hash('sha256', FILE_CONTENT) };
  return {
    id,
    step: 'selfie',
    kind: 'selfie',
    contentType: 'image/jpeg',
    ...content,
    ...(hasThumbnail && { thumbnail: content }),
    warnings: [],
    uploadedAt: '2026-01-01T00:00:00.000Z',
  };
}
