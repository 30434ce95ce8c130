import {
  countOf,
  isDeep,
  matchingGroups,
  type PageSlice,
  planPage,
  skipDays,
  type VerificationQuery,
} from '@countersign/domain/storage';
import { columnsOf } from '@countersign/statements';
import { type Columns, createStatementCache } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';
import {
  isMerged,
  type MergedSlice,
  mergedEntriesOf,
  mergedGroups,
  PAGE,
  shapeOf,
  valuesOf,
} from './group-statements.ts';
import { createListCounts } from './list-counts.ts';
import { createSubjectSlices } from './subject-slices.ts';
import { compileRowWithId } from './verification-pages.ts';

/** Maximum number of index entries that are read on the event loop: about 2 ms. */
export const ENTRIES_AT_ONCE = 10_000;

/** Rows of a page, not parsed yet. */
export interface RowPage {
  readonly rows: readonly Columns[];
  readonly totalCount: number;
}

/** Reads pages of lists that are not about one subject. */
export interface ListPages {
  /**
   * Reads a page inside the caller's transaction, by the plan that the counts allow. Returns null, without reading it, if that
   * would take longer than reading `entries` entries of an index.
   */
  readWithin(clientId: string, query: VerificationQuery, entries: number): RowPage | null;
}

export function createListPages(session: Pick<Session, 'connection'>): ListPages {
  const counts = createListCounts(session);
  const readMerged = createMergedSlices(session);
  const sorted = createSubjectSlices(session);
  const rowWithId = compileRowWithId(session, columnsOf(verifications));

  return {
    readWithin(clientId, query, entries) {
      const groups = counts.groups(clientId);
      const matching = matchingGroups(groups, query);
      const slices = planPage(query, matching).flatMap((slice) =>
        isDeep(slice) ? skipDays(slice, counts.days(clientId, slice.groups)) : [slice],
      );
      const entriesOf = (slice: PageSlice): number =>
        isMerged(slice)
          ? mergedEntriesOf(slice, (pending) => counts.begun(clientId, pending))
          : sorted.entriesOf(slice, groups);
      if (slices.reduce((sum, slice) => sum + entriesOf(slice), 0) > entries) return null;

      const rowidsOf = (slice: PageSlice): number[] => {
        const rowids = isMerged(slice) ? readMerged(clientId, slice) : sorted.read(clientId, slice, groups);
        return slice.reversed ? rowids.reverse() : rowids;
      };
      const rowids = slices.flatMap(rowidsOf);
      return { rows: rowids.flatMap((rowid) => rowWithId.all({ rowid })), totalCount: countOf(matching) };
    },
  };
}

/** Creates a function that reads the row ids of a slice in its direction. Up to 40 statements are compiled. */
export function createMergedSlices({
  connection,
}: Pick<Session, 'connection'>): (clientId: string, slice: MergedSlice) => number[] {
  const statementFor = createStatementCache(connection);
  return (clientId, slice) => {
    const statement = statementFor(shapeOf(slice), () => sql`${mergedGroups(slice)} ${PAGE}`);
    const rows = statement.all(valuesOf(clientId, slice));
    return rows.map(([rowid]) => Number(rowid));
  };
}
