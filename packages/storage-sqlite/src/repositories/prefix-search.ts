import { countOf, firstTextAfter } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { type Columns, compile, createStatementCache, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';
import {
  inGroups,
  type MergedSlice,
  mergedGroups,
  REQUESTED_WITHIN,
  ROWID,
  selectGroups,
  valuesOf,
} from './group-statements.ts';

/** Finds verifications by a prefix of the reference. Both functions run inside the caller's transaction. */
export interface PrefixSearch {
  /** Reads the row ids of a slice of all verifications, only that those without the prefix are left out. */
  page(clientId: string, prefix: string, slice: MergedSlice): number[];
  /**
   * Counts the matches in the groups and the span of a slice.
   * @param options `isWhole`: whether these are all verifications of the client; `upTo`: counts one more than this at most
   */
  count(
    clientId: string,
    prefix: string,
    slice: MergedSlice,
    options: { readonly isWhole: boolean; readonly upTo: number | undefined },
  ): number;
}

/** Number of matches that are always looked up and sorted. */
const FEW = 1_000;

/** Number of verifications that are compared with the prefix in the order of the page, before the index of references is read. */
const COMPARED = 2_000;

const { clientId, subjectReference, requestedAt, id } = verifications;
const WITH_PREFIX = sql`${clientId} = ${parameter('clientId')}
  and ${subjectReference} >= ${parameter('prefixFrom')} and ${subjectReference} < ${parameter('prefixUntil')}`;
const BY_REFERENCE = sql`${verifications} indexed by verifications_one_active where ${WITH_PREFIX}`;
const LIMIT = sql`limit ${sql.placeholder('limit')}`;

/** @param readMerged reads the row ids of a slice */
export function createPrefixSearch(
  { connection }: Pick<Session, 'connection'>,
  readMerged: (clientId: string, slice: MergedSlice) => number[],
): PrefixSearch {
  const statementFor = createStatementCache(connection);
  const countUpTo = compile(
    connection,
    sql`select count(*) from (select 1 from ${BY_REFERENCE} limit ${sql.placeholder('most')})`,
  );
  const referenceOf = compile(
    connection,
    sql`select ${subjectReference} from ${verifications} where ${ROWID} = ${parameter('rowid')}`,
  );

  function run(name: keyof typeof QUERIES, slice: MergedSlice, values: object): Columns[] {
    return statementFor(`${name} ${slice.groups.length}`, () => QUERIES[name](slice)).all(values);
  }

  /** Whether sorting all matches costs less than comparing verifications until a page is full. */
  function areFew({ groups, limit }: MergedSlice, values: object): boolean {
    const most = Math.max(FEW, Math.ceil(Math.sqrt(limit * countOf(groups))));
    return Number(countUpTo.get({ ...values, most })?.[0]) < most;
  }

  function wayToCount(slice: MergedSlice, values: object, upTo: number | undefined): keyof typeof QUERIES {
    if (areFew(slice, values)) return 'countOfFew';
    if (countOf(slice.groups) <= FEW) return 'countInGroups';
    // Until there are enough, looking up references costs less than collecting all of them.
    return upTo === undefined ? 'countOfMany' : 'countOfFew';
  }

  /** Compares the first verifications of a slice. Null: too few of them match. */
  function compared(client: string, prefix: string, slice: MergedSlice): number[] | null {
    const first = readMerged(client, { ...slice, limit: COMPARED });
    const matches: number[] = [];
    for (const rowid of first) {
      if (String(referenceOf.get({ rowid })?.[0]).startsWith(prefix)) matches.push(rowid);
      if (matches.length === slice.limit) return matches;
    }
    return first.length < COMPARED ? matches : null;
  }

  return {
    page(client, prefix, slice) {
      if (slice.groups.length === 0) return [];
      const values = { ...valuesOf(client, slice), ...rangeValues(prefix) };
      const rowids = (name: 'sorted' | 'collected') => run(name, slice, values).map(([rowid]) => Number(rowid));
      if (areFew(slice, values)) return rowids('sorted');
      return compared(client, prefix, slice) ?? rowids('collected');
    },

    count(client, prefix, slice, { isWhole, upTo }) {
      if (slice.groups.length === 0) return 0;
      // A negative limit is none.
      const most = upTo === undefined ? -1 : upTo + 1;
      const values = { ...valuesOf(client, slice), ...rangeValues(prefix), most };
      if (isWhole) return Number(countUpTo.get(values)?.[0]);
      return Number(run(wayToCount(slice, values, upTo), slice, values)[0]?.[0]);
    },
  };
}

/** Each for a number of groups. Few matches are looked up; many are compared with the row ids of the groups. */
const QUERIES = {
  sorted: (slice: MergedSlice): SQL => sql`
    select ${ROWID} from ${BY_REFERENCE} and ${inGroups(slice.groups)} and ${REQUESTED_WITHIN}
    order by ${requestedAt} desc, ${id} desc ${LIMIT}`,
  // The limit of the inner query keeps its order.
  collected: (slice: MergedSlice): SQL => sql`
    select found from (${mergedGroups(slice)} limit -1)
    where +found in (select ${ROWID} from ${BY_REFERENCE}) ${LIMIT}`,
  countOfFew: (slice: MergedSlice): SQL => sql`
    select count(*) from (
      select 1 from ${BY_REFERENCE} and ${inGroups(slice.groups)} and ${REQUESTED_WITHIN} limit ${sql.placeholder('most')})`,
  countInGroups: (slice: MergedSlice): SQL => sql`
    select count(*) from ${verifications} not indexed
    where ${ROWID} in (select found from (${selectGroups(slice)})) and ${WITH_PREFIX}`,
  countOfMany: (slice: MergedSlice): SQL => sql`
    select count(*) from (${selectGroups(slice)}) where +found in (select ${ROWID} from ${BY_REFERENCE})`,
};

/** Larger than every text: SQLite sorts all blobs after all texts (https://sqlite.org/datatype3.html, section 4.1). */
const AFTER_ALL_TEXTS = new Uint8Array();

/**
 * The range of all texts with the prefix, `prefixUntil` excluded. SQLite compares text by the bytes of its UTF-8, which is
 * the order of code points.
 * @param prefix well-formed
 */
export function rangeValues(prefix: string): {
  readonly prefixFrom: string;
  readonly prefixUntil: string | Uint8Array;
} {
  return { prefixFrom: prefix, prefixUntil: firstTextAfter(prefix) ?? AFTER_ALL_TEXTS };
}
