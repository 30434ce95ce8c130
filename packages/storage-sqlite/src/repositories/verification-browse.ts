import { type BrowseQuery, countOf, matchingGroups, type VerificationRepository } from '@countersign/domain';
import { type Columns, compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { eq } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import { type MergedSlice, ROWID } from './group-statements.ts';
import { createListCounts } from './list-counts.ts';
import { createMergedSlices } from './list-pages.ts';
import { createPrefixSearch } from './prefix-search.ts';
import { WITHOUT_DOCUMENTS } from './verification-pages.ts';

/** Creates `browse`: pages are merged from groups, and counted by day. */
export function createBrowse(session: Session): VerificationRepository['browse'] {
  const { db, connection } = session;
  const counts = createListCounts(session);
  const readMerged = createMergedSlices(session);
  const search = createPrefixSearch(session, readMerged);
  const rowWithId = compile(
    connection,
    db
      .select(WITHOUT_DOCUMENTS)
      .from(verifications)
      .where(eq(ROWID, parameter('rowid'))),
  );

  function readPage(clientId: string, query: BrowseQuery): { rows: Columns[]; totalCount: number } {
    const { subjectReferencePrefix: prefix = '', requestedFrom, requestedUntil, after } = query;
    const all = counts.groups(clientId);
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
  }

  return async (clientId, query) => {
    const { rows, totalCount } = await session.readPage(() => readPage(clientId, query));
    return { records: rows.map(listedVerification), totalCount };
  };
}

const NEWEST_FIRST = { orderedBy: 'requestedAt', direction: 'desc', offset: 0, reversed: false } as const;

function isEarlier(
  after: BrowseQuery['after'],
  until: Date | undefined,
): after is Exclude<BrowseQuery['after'], undefined> {
  return after !== undefined && (until === undefined || after.requestedAt < until);
}
