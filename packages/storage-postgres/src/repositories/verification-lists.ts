import {
  countOf,
  isDeep,
  matchingGroups,
  type PageSlice,
  planPage,
  type RecordPage,
  skipDays,
  type VerificationGroup,
  type VerificationQuery,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { createShapes } from '@countersign/statements';
import * as tables from '@countersign/tables';
import type { Session } from '../connection/session.ts';
import { columnsOf, type Statement, statementOf, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, type Row } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/rows.ts';
import { verifications } from '../schema.ts';
import {
  numbered,
  OF_CLIENT,
  placeIn,
  shapeOf,
  sliceStatement,
  valuesOf,
  type Way,
  wayOf,
} from './group-statements.ts';
import { DAYS_DIGEST, daysFrom, groupsFrom, READ_DAYS, READ_TOTALS, TOTALS } from './list-counts.ts';
import { createSortedLists } from './verification-pages.ts';

/** A page to read, planned by counts that may have changed when it is read. */
interface Plan {
  readonly groups: readonly VerificationGroup[];
  readonly slices: readonly PageSlice[];
  /** Digest of the counts by day, if days are skipped. */
  readonly digest: string | null;
}

const { id: ID } = tables.positionsOf(tables.verifications);

/** Number of plans for one page. A plan is outdated if the client's verifications change at that moment. */
const ATTEMPTS = 5;

/**
 * Reads a page by the plan that the counts allow. The statement that reads it reads the counts, too: if they lead to
 * another plan, the page is planned again. So page and total are of one moment, without a transaction.
 */
export function createListVerifications(session: Session): VerificationRepository['list'] {
  const { read } = session;
  const sortedList = createSortedLists(session);
  const statements = createShapes<Statement>();

  async function planOf(
    clientId: string,
    query: VerificationQuery,
    groups: readonly VerificationGroup[],
  ): Promise<Plan> {
    const slices = planPage(query, groups);
    if (!slices.some(isDeep)) return { groups, slices, digest: null };
    const [[days, digest] = []] = await read(READ_DAYS, { clientId });
    const counted = groupsFrom(days);
    const skipped = planPage(query, counted).flatMap((slice) =>
      isDeep(slice) ? skipDays(slice, daysFrom(days, slice.groups)) : [slice],
    );
    return { groups: counted, slices: skipped, digest: String(digest) };
  }

  async function readPlanned(clientId: string, query: VerificationQuery, plan: Plan): Promise<readonly Row[]> {
    const { slices, digest, groups } = plan;
    const isFiltered = query.status !== undefined || query.type !== undefined;
    const way = (slice: PageSlice): Way => wayOf(slice, countOf(groups), isFiltered);
    const shape = [digest === null, ...slices.map((slice) => shapeOf(slice, way(slice)))].join(' ');
    const statement = statements(shape, () => pageStatement(slices, way, digest !== null));
    const values: Record<string, Value> = { clientId };
    for (const [number, slice] of slices.entries()) Object.assign(values, valuesOf(slice, number));
    return read(statement, values);
  }

  async function plannedPage(clientId: string, query: VerificationQuery): Promise<RecordPage | null> {
    const [[first] = []] = await read(READ_TOTALS, { clientId });
    let groups: readonly VerificationGroup[] = groupsFrom(first);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const plan = await planOf(clientId, query, groups);
      if (plan.slices.length === 0)
        return { records: [], totalCount: countOf(matchingGroups(plan.groups, query)) };
      const rows = await readPlanned(clientId, query, plan);
      const [totals, digest] = rows[0]?.slice(-2) ?? [];
      const seen = groupsFrom(totals);
      const isSame =
        plan.digest === null ? isSamePlan(plan.slices, planPage(query, seen)) : plan.digest === digest;
      if (isSame) {
        const records = rows.filter((row) => row[ID] !== null).map(listedVerification);
        return { records, totalCount: countOf(matchingGroups(seen, query)) };
      }
      groups = seen;
    }
    return null;
  }

  return async (clientId, query) => {
    if (!areIds(clientId) || !isStorable(query.subjectReference ?? '')) return { records: [], totalCount: 0 };
    const page = query.subjectReference === undefined ? await plannedPage(clientId, query) : null;
    // A client whose verifications change all the time gets an exact page, too, only more slowly.
    return page ?? sortedList(clientId, query);
  };
}

/** Each row ends with the counts by type and the digest of those by day. Without records there is one row of nulls. */
function pageStatement(slices: readonly PageSlice[], way: (slice: PageSlice) => Way, isByDay: boolean): Statement {
  const places = slices.map((slice, number) => {
    const found = sliceStatement(numbered(number), slice, way(slice));
    return sql`select id, ${placeIn(slice, number)} as place from (${found}) as found`;
  });
  return statementOf(sql`
    select ${columnsOf(verifications)}, counts.totals, counts.digest
    from (select ${TOTALS} as totals, ${isByDay ? DAYS_DIGEST : sql`''`} as digest) as counts
    left join (${sql.join(places, sql` union all `)}) as page on true
    left join lateral (
      select * from ${verifications} where ${OF_CLIENT} and ${verifications.id} = page.id limit 1
    ) as ${verifications} on true
    order by page.place`);
}

function isSamePlan(plan: readonly PageSlice[], other: readonly PageSlice[]): boolean {
  const comparable = (slices: readonly PageSlice[]) =>
    JSON.stringify(
      slices.map((slice) => ({ ...slice, groups: slice.groups.map(({ status, type }) => [status, type]) })),
    );
  return comparable(plan) === comparable(other);
}
