import {
  countOf,
  isDeep,
  matchingGroups,
  type PageSlice,
  planPage,
  skipDays,
  type VerificationQuery,
  type VerificationRepository,
} from '@countersign/domain';
import { type Columns, compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { createStatementCache } from '../connection/statement-cache.ts';
import { eq, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import { isMerged, type MergedSlice, mergedGroups, PAGE, ROWID, valuesOf } from './group-statements.ts';
import { createListCounts } from './list-counts.ts';
import { createSortedSlices } from './sorted-slices.ts';
import { createSubjectPages } from './verification-pages.ts';

/** Rows of a page, not parsed yet. */
interface RowPage {
  readonly rows: readonly Columns[];
  readonly totalCount: number;
}

/** Reads a page by the plan that the counts allow. A page of one subject is sorted: a subject has few verifications. */
export function createListVerifications(session: Session): VerificationRepository['list'] {
  const { db, connection, readAtOnce } = session;
  const pageOfSubject = createSubjectPages(session);
  const counts = createListCounts(session);
  const readMerged = createMergedSlices(session);
  const readSorted = createSortedSlices(session);
  const rowWithId = compile(
    connection,
    db
      .select()
      .from(verifications)
      .where(eq(ROWID, parameter('rowid'))),
  );

  function readPage(clientId: string, query: VerificationQuery): RowPage {
    const groups = counts.groups(clientId);
    const matching = matchingGroups(groups, query);
    const rowidsOf = (slice: PageSlice): number[] => {
      const rowids = isMerged(slice) ? readMerged(clientId, slice) : readSorted(clientId, slice, countOf(groups));
      return slice.reversed ? rowids.reverse() : rowids;
    };
    const rowids = planPage(query, matching)
      .flatMap((slice) => (isDeep(slice) ? skipDays(slice, counts.days(clientId, slice.groups)) : [slice]))
      .flatMap(rowidsOf);
    return { rows: rowids.flatMap((rowid) => rowWithId.all({ rowid })), totalCount: countOf(matching) };
  }

  return async (clientId, query) => {
    if (query.subjectReference !== undefined) return pageOfSubject(query, { ...query, clientId });
    const { rows, totalCount } = await readAtOnce(() => readPage(clientId, query));
    return { records: rows.map(listedVerification), totalCount };
  };
}

/** Creates a function that reads the row ids of a slice in its direction. Up to 40 statements are compiled. */
export function createMergedSlices({ connection }: Session): (clientId: string, slice: MergedSlice) => number[] {
  const statementFor = createStatementCache(connection);
  return (clientId, slice) => {
    const shape = `${slice.orderedBy} ${slice.direction} ${slice.groups.length}`;
    const rows = statementFor(shape, () => sql`${mergedGroups(slice)} ${PAGE}`).all(valuesOf(clientId, slice));
    return rows.map(([rowid]) => Number(rowid));
  };
}
