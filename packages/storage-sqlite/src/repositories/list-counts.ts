import { STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import {
  countOf,
  type DayCount,
  type TimeSpan,
  type VerificationGroup,
  wholeDaysIn,
} from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, createStatementCache, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { eq, oneOf, sql } from '../drizzle.ts';
import { verificationCounts } from '../schema.ts';
import { begunIn, selectGroups, valuesOf } from './group-statements.ts';

/** Reads the counts by which pages of a client's lists are planned. */
export interface ListCounts {
  /** Counts all groups of the client. */
  groups(clientId: string): VerificationGroup[];
  /**
   * Counts a group over all clients, or over those in live use. Returns undefined if the sum has 10,000 terms or more.
   */
  ofAllClients(
    group: Pick<VerificationGroup, 'status' | 'type'> & { readonly liveOnly: boolean },
  ): number | undefined;
  /** Counts the verifications of some groups by the day of the request. */
  days(clientId: string, groups: readonly VerificationGroup[]): DayCount[];
  /**
   * Counts pending verifications of some groups that are begun. Of more than 2,000 it returns the number of all pending ones,
   * because each one is counted.
   */
  begun(clientId: string, groups: readonly VerificationGroup[]): number;
  /** Counts those requested in a span: whole days from their counts, and parts of a day one by one. */
  within(clientId: string, groups: readonly VerificationGroup[], span: OpenSpan): number;
}

/** A span of time; an undefined end is open. */
interface OpenSpan {
  readonly requestedFrom: Date | undefined;
  readonly requestedUntil: Date | undefined;
}

/** Number of verifications that are counted one by one to plan a page. */
const COUNTED_AT_MOST = 2_000;

/** Number of counts that are added up to count a group of all clients: about 1 ms. */
const ADDED_AT_MOST = 10_000;

/** Whether the client of a row is in live use. It is looked up for each row that is read. */
export const IS_LIVE: SQL = sql`(select test_of is null from clients where clients.id = client_id)`;

const WHOLE = { direction: 'asc', offset: 0, limit: -1, reversed: false } as const;

/** All run inside the caller's transaction. */
export function createListCounts({ connection }: Pick<Session, 'connection'>): ListCounts {
  const ofClient = eq(verificationCounts.clientId, parameter('clientId'));
  const columns = STATUSES.map((status) => verificationCounts[status]);
  const sums = list(columns.map((column) => sql`sum(${column})`));
  const { day, type } = verificationCounts;
  // A statement for each type takes two thirds of the time of one that groups by type.
  const totals = SUBJECT_TYPES.map((one) => ({
    type: one,
    statement: compile(
      connection,
      sql`select ${sums} from ${verificationCounts} where ${ofClient} and ${oneOf(type, [one])}`,
    ),
  }));
  const byDay = compile(
    connection,
    sql`select ${day}, ${type}, ${list(columns)} from ${verificationCounts} where ${ofClient}`,
  );

  const statementFor = createStatementCache(connection);

  function countOneByOne(
    clientId: string,
    groups: readonly VerificationGroup[],
    { from, until }: TimeSpan,
  ): number {
    if (groups.length === 0) return 0;
    const slice = { ...WHOLE, groups, requestedFrom: from, requestedUntil: until };
    const query = () => sql`select count(*) from (${selectGroups(slice)})`;
    return Number(statementFor(`${groups.length}`, query).get(valuesOf(clientId, slice))?.[0]);
  }

  function days(clientId: string, groups: readonly VerificationGroup[]): DayCount[] {
    return byDay
      .all({ clientId })
      .flatMap(([day, type, ...counts]) =>
        groups
          .filter((group) => group.type === type)
          .map(({ status }) => ({ day: Number(day), count: Number(counts[STATUSES.indexOf(status)]) })),
      );
  }

  return {
    groups(clientId) {
      return totals.flatMap(({ type, statement }) => {
        const counts = statement.get({ clientId }) ?? [];
        return STATUSES.map((status, index) => ({ status, type, count: Number(counts[index] ?? 0) }));
      });
    },
    ofAllClients({ status, type: ofType, liveOnly }) {
      const query = () => sql`
        select count(*), coalesce(sum(${verificationCounts[status]}) filter (where ${type} = ${parameter('type')}), 0)
        from (select ${type}, ${verificationCounts[status]} from ${verificationCounts}
          where ${liveOnly ? IS_LIVE : sql`true`} limit ${sql.placeholder('limit')}) as ${verificationCounts}`;
      const values = { type: ofType, limit: ADDED_AT_MOST };
      const [added, sum] = statementFor(`all ${status} ${liveOnly}`, query).get(values) ?? [];
      return added === ADDED_AT_MOST ? undefined : Math.max(0, Number(sum));
    },
    days,
    begun(clientId, groups) {
      const pending = countOf(groups);
      if (pending <= COUNTED_AT_MOST) return pending;
      const query = () => sql`select count(*) from (${begunIn({ groups })} limit ${sql.placeholder('limit')})`;
      const slice = {
        ...WHOLE,
        groups,
        requestedFrom: undefined,
        requestedUntil: undefined,
        limit: COUNTED_AT_MOST,
      };
      const counted = statementFor(`begun ${groups.length}`, query).get(valuesOf(clientId, slice));
      const begun = Number(counted?.[0]);
      return begun < COUNTED_AT_MOST ? begun : pending;
    },
    within(clientId, groups, { requestedFrom, requestedUntil }) {
      if (requestedFrom === undefined && requestedUntil === undefined) return countOf(groups);
      const { firstDay, endDay, parts } = wholeDaysIn(requestedFrom, requestedUntil);
      const counted = days(clientId, groups).filter(({ day }) => day >= firstDay && day < endDay);
      const whole = counted.reduce((sum, { count }) => sum + count, 0);
      return parts.reduce((sum, part) => sum + countOneByOne(clientId, groups, part), whole);
    },
  };
}
