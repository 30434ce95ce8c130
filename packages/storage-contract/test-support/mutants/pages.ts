import type { Storage, VerificationRecord } from '@countersign/domain';
import { aQuery } from '../../src/records/queries.ts';
import { fail, roundTrip } from './patch.ts';

/** What `list`, `queue` and `browse` answer. */
interface Page {
  readonly records: readonly VerificationRecord[];
  readonly totalCount: number;
}

/** More records than any case has. */
export const ALL = 100;

/** Sets fields of each record of a page. */
export const withFields =
  (fields: Partial<VerificationRecord>) =>
  ({ records, totalCount }: Page): Page => ({
    records: records.map((record) => ({ ...record, ...fields })),
    totalCount,
  });

export const failWhenEmpty = (page: Page): Page => (page.totalCount === 0 ? fail('no rows') : page);

export const countPage = ({ records }: Page): Page => ({ records, totalCount: records.length });

export const countNothingPastTheEnd = ({ records, totalCount }: Page): Page => ({
  records,
  totalCount: records.length === 0 ? 0 : totalCount,
});

/** The records of one reading, and the count of a later one. */
export async function countLater(read: () => Promise<Page>): Promise<Page> {
  const { records } = await read();
  await roundTrip();
  return { records, totalCount: (await read()).totalCount };
}

/** The records of one reading, and the count of another. */
export async function countOther(page: Promise<Page>, other: Promise<Page>): Promise<Page> {
  return { records: (await page).records, totalCount: (await other).totalCount };
}

/** Several pages as if they were one. */
export async function joined(pages: readonly Promise<Page>[]): Promise<Page> {
  const read = await Promise.all(pages);
  return {
    records: read.flatMap(({ records }) => records),
    totalCount: read.reduce((sum, { totalCount }) => sum + totalCount, 0),
  };
}

/** The page that offset and limit cut out of all records. */
export function cut(
  records: readonly VerificationRecord[],
  { offset, limit }: { offset: number; limit: number },
): Page {
  return { records: records.slice(offset, offset + limit), totalCount: records.length };
}

/** All verifications of a client. */
export async function verificationsOf(storage: Storage, clientId: string): Promise<readonly VerificationRecord[]> {
  return (await storage.verifications.list(clientId, aQuery())).records;
}
