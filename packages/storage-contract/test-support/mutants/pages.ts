import type { SubjectType } from '@countersign/domain';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { aQuery } from '../../src/records/queries.ts';
import { type Break, fail } from './patch.ts';

/** The result of `list`, `queue` and `browse`. */
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

export const countPage = ({ records }: Page): Page => ({ records, totalCount: records.length });

/** The records of one page with the total of another. */
export const withTotalOf = ({ records }: Page, { totalCount }: Page): Page => ({ records, totalCount });

interface PageQuery {
  readonly limit: number;
  readonly type: SubjectType | undefined;
}

/** An operation that returns a page. */
interface PageOperation<Query = PageQuery> {
  input(change: (query: Query) => Partial<Query>): Break;
  result(change: (page: Page) => Page): Break;
  twice(change: (query: Query) => Partial<Query>, combine: (page: Page, later: Page, query: Query) => Page): Break;
}

/** Mutants whose pages have a wrong size or total. */
export const sizeMutants = (operation: PageOperation): Record<string, Break> => ({
  'returns one record too many': operation.input(({ limit }) => ({ limit: limit + 1 })),
  'counts the page instead of all': operation.result(countPage),
  'counts nothing past the end': operation.result((page) => (page.records.length === 0 ? countPage(page) : page)),
  'counts without the filter by type': operation.twice(() => ({ type: undefined }), withTotalOf),
});

/** Mutants that treat the offset or the filters of a page wrongly. */
export const offsetMutants = (
  operation: PageOperation<PageQuery & { readonly offset: number }>,
): Record<string, Break> => ({
  'starts one record late': operation.input(({ offset }) => ({ offset: offset === 0 ? 0 : offset + 1 })),
  'takes the offset for a page number': operation.input(({ offset, limit }) => ({ offset: offset * limit })),
  'truncates offsets to 32 bits': operation.input(({ offset }) => ({ offset: Math.max(0, offset | 0) })),
});

/** Filters by type only after the page was cut. */
export const filtersAfterPaging = (operation: PageOperation): Break =>
  operation.twice(
    () => ({ type: undefined }),
    ({ totalCount }, { records }, query) => ({
      records: records.filter(({ type }) => [undefined, type].includes(query.type)),
      totalCount,
    }),
  );

export const failsOnEmptyPage = (operation: PageOperation): Break =>
  operation.result((page) => (page.totalCount === 0 ? fail('no rows') : page));

export const readsThenCounts = (operation: PageOperation): Break => operation.twice(() => ({}), withTotalOf);

/** Mutants of pages with whole records. */
export const wholePageMutants = (operation: PageOperation): Record<string, Break> => ({
  'fails on an empty page': failsOnEmptyPage(operation),
  'returns no metadata': operation.result(withFields({ metadata: {} })),
  'returns other answers than stored': operation.result(withFields({ answers: { steps: {} } })),
  'reads the page, then the total': readsThenCounts(operation),
});

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
