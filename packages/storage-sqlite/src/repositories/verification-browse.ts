import {
  type BrowseQuery,
  countOf,
  matchingGroups,
  type VerificationRepository,
} from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { listedVerification } from '../rows/rows.ts';
import type { MergedSlice } from './group-statements.ts';
import { createListCounts } from './list-counts.ts';
import { createMergedSlices, ENTRIES_AT_ONCE, type RowPage } from './list-pages.ts';
import type { RunLongRead } from './long-read-kinds.ts';
import { createPrefixSearch } from './prefix-search.ts';
import { compileRowWithId, WITHOUT_DOCUMENTS } from './verification-pages.ts';

/** Creates `browse`. A search among many verifications is read apart. */
export function createBrowse(session: Session, runApart: RunLongRead): VerificationRepository['browse'] {
  const readWithin = createBrowsePage(session);
  return async (clientId, query) => {
    const { rows, totalCount } =
      (await session.readPage(() => readWithin(clientId, query, ENTRIES_AT_ONCE))) ??
      (await session.readApart(() => runApart('browse', clientId, query)));
    return { records: rows.map(listedVerification), totalCount };
  };
}

/**
 * Creates a function that reads a page inside the caller's transaction: it is merged from groups, and counted by day. Returns
 * null, without reading it, for a search among more verifications than `entries`.
 */
export function createBrowsePage(
  session: Pick<Session, 'connection'>,
): (clientId: string, query: BrowseQuery, entries: number) => RowPage | null {
  const counts = createListCounts(session);
  const readMerged = createMergedSlices(session);
  const search = createPrefixSearch(session, readMerged);
  const rowWithId = compileRowWithId(session, WITHOUT_DOCUMENTS);

  return (clientId, query, entries) => {
    const { subjectReferencePrefix: prefix = '', requestedFrom, requestedUntil, after } = query;
    const all = counts.groups(clientId);
    if (prefix !== '' && countOf(all) > entries) return null;
    const groups = matchingGroups(all, query);
    const matching: MergedSlice = { ...NEWEST_FIRST, groups, requestedFrom, requestedUntil, limit: query.limit };
    const slice = isEarlier(after, requestedUntil)
      ? { ...matching, requestedUntil: after.requestedAt, untilId: after.id }
      : matching;

    const rowids =
      prefix !== ''
        ? search.page(clientId, prefix, slice)
        : groups.length === 0
          ? []
          : readMerged(clientId, slice);
    const isWhole =
      countOf(groups) === countOf(all) && requestedFrom === undefined && requestedUntil === undefined;
    const total = (): number =>
      prefix === ''
        ? counts.within(clientId, groups, matching)
        : search.count(clientId, prefix, matching, { isWhole, upTo: query.countUpTo });
    return {
      rows: rowids.flatMap((rowid) => rowWithId.all({ rowid })),
      totalCount: query.withoutTotal === true ? 0 : total(),
    };
  };
}

const NEWEST_FIRST = { orderedBy: 'requestedAt', direction: 'desc', offset: 0, reversed: false } as const;

function isEarlier(
  after: BrowseQuery['after'],
  until: Date | undefined,
): after is Exclude<BrowseQuery['after'], undefined> {
  return after !== undefined && (until === undefined || after.requestedAt < until);
}
