import type { Storage, VerificationQuery } from '@countersign/domain';
import { clientId } from './ids.ts';

/** Everything of a client, oldest request first, unless told otherwise. */
export function aQuery(given: Partial<VerificationQuery> = {}): VerificationQuery {
  return {
    status: undefined,
    type: undefined,
    subjectReference: undefined,
    sortBy: 'requestedAt',
    sortOrder: 'asc',
    offset: 0,
    limit: 100,
    ...given,
  };
}

/** Ids of the first client's verifications, as a query lists them, and the total. */
export async function listed(
  storage: Storage,
  given: Partial<VerificationQuery> = {},
): Promise<{ ids: string[]; totalCount: number }> {
  const { records, totalCount } = await storage.verifications.list(clientId(1), aQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}
