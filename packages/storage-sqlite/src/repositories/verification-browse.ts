import { type BrowseQuery, firstTextAfter, type VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, count, desc, eq, gte, inArray, lt, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import { WITHOUT_DOCUMENTS } from './verification-pages.ts';

/**
 * How references with a prefix are found. `few`: by the reference index, then looked up and sorted. `many`: collected from
 * that index, then matched in page order from the listing index, so that only the rows of the page are read.
 */
type PrefixWay = 'none' | 'few' | 'many';

/** Maximum number of rows to sort. */
const FEW = 1_000;

/** Creates `browse`. The statements for page and count are prepared at the first query of each shape (96 at most). */
export function createBrowse({ db, readAtOnce }: Session): VerificationRepository['browse'] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const upToFew = db
    .select({ one: sql`1`.as('one') })
    .from(verifications)
    .where(and(OF_CLIENT, BEGINNING_SO))
    .limit(FEW + 1)
    .as('up_to_few');
  const countUpToFew = db.select({ count: count() }).from(upToFew).prepare();

  function wayOf(values: BrowseValues): PrefixWay {
    if (values.prefixFrom === undefined) return 'none';
    return (countUpToFew.get(values)?.count ?? 0) > FEW ? 'many' : 'few';
  }

  function prepare(values: BrowseValues, way: PrefixWay) {
    const { requestedAt, id } = way === 'few' ? UNINDEXED : INDEXED;
    // A prefix without other filters is counted from the reference index alone.
    const countWay = way === 'many' && !isFiltered(values) ? 'few' : way;
    const [matching, counted] = [way, countWay].map((one) =>
      and(...filters(values), prefix(one), from(values, requestedAt)),
    );
    return {
      page: db
        .select(WITHOUT_DOCUMENTS)
        .from(verifications)
        .where(and(matching, end(values, requestedAt, id)))
        .orderBy(desc(requestedAt), desc(id))
        .limit(sql.placeholder('limit'))
        .prepare(),
      total: db
        .select({ count: count() })
        .from(verifications)
        .where(and(counted, until(values, requestedAt)))
        .prepare(),
    };
  }

  /** Matches the prefix. The plus keeps SQLite from looking up each row by its id. */
  function prefix(way: PrefixWay): SQL | undefined {
    if (way === 'none') return undefined;
    return way === 'few'
      ? BEGINNING_SO
      : inArray(
          sql`+${ROWID}`,
          db.select({ rowid: ROWID }).from(verifications).where(and(OF_CLIENT, BEGINNING_SO)),
        );
  }

  return (clientId, query) =>
    readAtOnce(() => {
      const values = browseValues(clientId, query);
      const way = wayOf(values);
      const shape = `${way} ${askedFor(values)}`;
      const statements = prepared.get(shape) ?? prepare(values, way);
      prepared.set(shape, statements);
      return {
        records: statements.page.values(values).map(listedVerification),
        totalCount: query.withoutTotal === true ? 0 : (statements.total.get(values)?.count ?? 0),
      };
    });
}

const ROWID = sql`rowid`;

const INDEXED = { requestedAt: sql`${verifications.requestedAt}`, id: sql`${verifications.id}` };
/** The plus keeps SQLite from using an index for the column. */
const UNINDEXED = { requestedAt: sql`+${verifications.requestedAt}`, id: sql`+${verifications.id}` };

const OF_CLIENT = eq(verifications.clientId, parameter('clientId'));
const BEGINNING_SO = and(
  gte(verifications.subjectReference, parameter('prefixFrom')),
  lt(verifications.subjectReference, parameter('prefixUntil')),
);

function filters({ status, type }: BrowseValues): (SQL | undefined)[] {
  return [
    OF_CLIENT,
    status === undefined ? undefined : eq(verifications.status, parameter('status')),
    type === undefined ? undefined : eq(verifications.type, parameter('type')),
  ];
}

function from({ requestedFrom }: BrowseValues, requestedAt: SQL): SQL | undefined {
  return requestedFrom === undefined ? undefined : sql`${requestedAt} >= ${parameter('requestedFrom')}`;
}

function until({ requestedUntil }: BrowseValues, requestedAt: SQL): SQL | undefined {
  return requestedUntil === undefined ? undefined : sql`${requestedAt} < ${parameter('requestedUntil')}`;
}

function end({ endAt }: BrowseValues, requestedAt: SQL, id: SQL): SQL | undefined {
  if (endAt === undefined) return undefined;
  return sql`(${requestedAt}, ${id}) < (${parameter('endAt')}, ${parameter('endId')})`;
}

function isFiltered({ status, type, requestedFrom, requestedUntil }: BrowseValues): boolean {
  return [status, type, requestedFrom, requestedUntil].some((value) => value !== undefined);
}

/** Values of the statements of `browse`. A filter that is undefined is not part of the statement. */
export interface BrowseValues extends Record<string, unknown> {
  readonly clientId: string;
  readonly limit: number;
  readonly status: string | undefined;
  readonly type: string | undefined;
  readonly prefixFrom: string | undefined;
  readonly prefixUntil: string | Uint8Array | undefined;
  readonly requestedFrom: number | undefined;
  readonly requestedUntil: number | undefined;
  /** The page ends before this position, by moment and id. It is one bound, because the index can use only one. */
  readonly endAt: number | undefined;
  readonly endId: string | undefined;
}

function browseValues(clientId: string, query: BrowseQuery): BrowseValues {
  const { status, type, subjectReferencePrefix: prefix, limit } = query;
  const range = prefix === undefined || prefix === '' ? undefined : rangeOfPrefix(prefix);
  const end = endOf(query);
  return {
    clientId,
    limit,
    status,
    type,
    prefixFrom: range?.from,
    prefixUntil: range?.until,
    requestedFrom: query.requestedFrom?.getTime(),
    requestedUntil: query.requestedUntil?.getTime(),
    endAt: end?.requestedAt.getTime(),
    endId: end?.id,
  };
}

/** The shape of a query: its filters, without values. */
function askedFor(values: BrowseValues): string {
  return Object.keys(values)
    .filter((name) => values[name] !== undefined)
    .join();
}

function endOf({ after, requestedUntil: until }: BrowseQuery): BrowseQuery['after'] {
  // No id is smaller than the empty one.
  return until === undefined || (after !== undefined && after.requestedAt < until)
    ? after
    : { requestedAt: until, id: '' };
}

/** Larger than every text: SQLite sorts all blobs after all texts (https://sqlite.org/datatype3.html, section 4.1). */
const AFTER_ALL_TEXTS = new Uint8Array();

/**
 * The range of all texts with the prefix, `until` excluded. SQLite compares text by the bytes of its UTF-8, which is the
 * order of code points.
 * @param prefix well-formed
 */
export function rangeOfPrefix(prefix: string): { readonly from: string; readonly until: string | Uint8Array } {
  return { from: prefix, until: firstTextAfter(prefix) ?? AFTER_ALL_TEXTS };
}
