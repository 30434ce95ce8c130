import type { BrowsePosition, BrowseQuery, Storage, VerificationRecord } from '@countersign/domain';
import { clientId, verificationId } from './ids.ts';
import type { Found } from './queue.ts';

/** Everything of a client, from the newest on, unless told otherwise. */
export function aBrowseQuery(given: Partial<BrowseQuery> = {}): BrowseQuery {
  return {
    status: undefined,
    type: undefined,
    subjectReferencePrefix: undefined,
    requestedFrom: undefined,
    requestedUntil: undefined,
    after: undefined,
    limit: 100,
    ...given,
  };
}

/** What is found of the first client's verifications. */
export async function browsed(storage: Storage, given: Partial<BrowseQuery> = {}): Promise<Found> {
  const { records, totalCount } = await storage.verifications.browse(clientId(1), aBrowseQuery(given));
  return { ids: records.map(({ id }) => id), totalCount };
}

/** Where a page ended whose last verification was requested then and has the `n`th id. */
export function positionAt(requestedAt: Date, n: number): BrowsePosition {
  return { requestedAt, id: verificationId(n) };
}

/** Page after page, `limit` on each, until there is no more. `meanwhile` happens after each. */
export async function pagesOf(
  { verifications }: Storage,
  limit: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<{ readonly pages: string[][]; readonly totals: number[] }> {
  const pages: string[][] = [];
  const totals: number[] = [];
  let after: BrowsePosition | undefined;
  do {
    const { records, totalCount } = await verifications.browse(clientId(1), aBrowseQuery({ after, limit }));
    pages.push(records.map(({ id }) => id));
    totals.push(totalCount);
    after = records.length < limit ? undefined : endOf(records);
    await meanwhile();
  } while (after !== undefined && pages.length < 100);
  return { pages, totals };
}

function endOf(records: readonly VerificationRecord[]): BrowsePosition | undefined {
  const last = records.at(-1);
  return last && { requestedAt: last.requestedAt, id: last.id };
}
