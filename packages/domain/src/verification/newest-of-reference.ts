import type { VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Lists the newest verifications of a client with a reference, the newest first. */
export async function newestOfReference(
  verifications: Pick<VerificationRepository, 'list'>,
  { clientId, subjectReference }: Pick<VerificationRecord, 'clientId' | 'subjectReference'>,
  limit: number,
): Promise<readonly VerificationRecord[]> {
  const { records } = await verifications.list(clientId, {
    subjectReference,
    status: undefined,
    type: undefined,
    sortBy: 'requestedAt',
    sortOrder: 'desc',
    offset: 0,
    limit,
  });
  return records;
}
