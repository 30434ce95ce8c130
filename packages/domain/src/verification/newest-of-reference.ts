import type { VerificationRecord } from './verification-record.ts';
import type { RecordPage, VerificationRepository } from './verification-repository.ts';

type Verifications = Pick<VerificationRepository, 'list'>;
type OfReference = Pick<VerificationRecord, 'clientId' | 'subjectReference'>;

/** Lists the newest verifications of a client with a reference, the newest first. */
export async function newestOfReference(
  verifications: Verifications,
  which: OfReference,
  limit: number,
): Promise<readonly VerificationRecord[]> {
  return (await pageOf(verifications, which, limit)).records;
}

/** Counts the verifications of a client with a reference, and reads none of them. */
export async function countOfReference(verifications: Verifications, which: OfReference): Promise<number> {
  return (await pageOf(verifications, which, 0)).totalCount;
}

function pageOf(
  verifications: Verifications,
  { clientId, subjectReference }: OfReference,
  limit: number,
): Promise<RecordPage> {
  return verifications.list(clientId, {
    subjectReference,
    status: undefined,
    type: undefined,
    sortBy: 'requestedAt',
    sortOrder: 'desc',
    offset: 0,
    limit,
  });
}
