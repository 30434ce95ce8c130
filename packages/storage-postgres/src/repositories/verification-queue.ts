import { SEVERITIES_TO_CHECK, STATUSES } from '@countersign/domain';
import { matchesNothing, type QueueQuery, type VerificationRepository } from '@countersign/domain/storage';
import { createShapes, every, isAfter, isUsed } from '@countersign/statements';
import type { SQL, SQLWrapper } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { areIds, isStorable, momentTextOrNull } from '../rows/parse-row.ts';
import { verificationCounts, verifications } from '../schema.ts';
import { pageOf, WITHOUT_DOCUMENTS } from './verification-pages.ts';

const { status, type, clientId, claimedBy, submittedAt, id, severity, isResubmitted } = verifications;
const LIMIT = sql`limit ${parameter('limit')}`;
const AFTER_ID = sql`${id} > ${parameter('afterId')}::uuid`;

/** Creates `queue`: one statement for the page and the total, made at the first query of its shape (up to 408). */
export function createQueue({ read }: Session): VerificationRepository['queue'] {
  const statements = createShapes<Statement>();
  return async (query) => {
    const { type: ofType = null, clientId: client = null, claimedBy: claimant = null, after, limit } = query;
    const cannotBeStored =
      (client !== null && !areIds(client)) || !isStorable(claimant ?? '') || (after && !areIds(after.id));
    if (cannotBeStored || matchesNothing(query)) return { records: [], totalCount: 0 };
    const statement = statements(shapeOf(query), () => statementFor(query));
    const values = { status: query.status, type: ofType, clientId: client, claimedBy: claimant };
    const position = { afterAt: momentTextOrNull(after?.submittedAt ?? null), afterId: after?.id ?? null };
    return pageOf(await read(statement, { ...values, ...position, limit, most: query.countUpTo + 1 }));
  };
}

function shapeOf({
  status: wanted,
  type: ofType,
  clientId: client,
  claimedBy: claimant,
  liveOnly,
  isWarned = false,
  isResubmitted: again = false,
  after,
}: QueueQuery): string {
  return [
    wanted === 'pending',
    isWarned && wanted === 'submitted' ? 'waiting' : isWarned,
    again,
    isUsed(ofType),
    isUsed(client),
    claimant === null ? 'null' : isUsed(claimant),
    liveOnly,
    after === undefined ? 'first' : after.submittedAt === null ? 'unsubmitted' : 'after',
  ].join();
}

function statementFor(query: QueueQuery): Statement {
  const matching = every(conditionsOf(query));
  return statementOf(sql`
    select ${WITHOUT_DOCUMENTS}, total.count
    from (${totalStatement(query, matching)}) as total
    left join (${pageStatement(query, matching)}) as ${verifications} on true
    order by ${submittedAt}, ${id}`);
}

/** Number of counts that are added up to count a group of all clients. */
const ADDED_AT_MOST = 10_000;

/** Adds up the counts of a client or a type. Claims, and types among more counts, are counted one by one up to `most`. */
function totalStatement(query: QueueQuery, matching: SQL): SQL {
  const oneByOne = sql`
    select count(*) as count
    from (select 1 from ${verifications} where ${matching} limit ${parameter('most')}) as counted`;
  if (query.claimedBy !== undefined || query.isWarned || query.isResubmitted) return oneByOne;
  const ofType = query.type === undefined ? sql`` : sql`filter (where counts.type = ${parameter('type')})`;
  const sum = sql`greatest(coalesce(sum(counts.matching) ${ofType}, 0), 0)::bigint`;
  const counts = sql`select ${verificationCounts.type}, ${OF_STATUS} as matching from ${verificationCounts}`;
  if (query.clientId !== undefined) {
    // The client may be a test twin.
    if (query.liveOnly) return oneByOne;
    return sql`
      select ${sum} as count
      from (${counts} where ${verificationCounts.clientId} = ${parameter('clientId')}) as counts`;
  }
  if (query.type === undefined) return oneByOne;
  const live = query.liveOnly ? sql`where ${isLive(verificationCounts.clientId)}` : sql``;
  const most = sql.raw(String(ADDED_AT_MOST));
  return sql`
    select case when added.counts < ${most} then added.sum else (${oneByOne}) end as count
    from (select count(*) as counts, ${sum} as sum from (${counts} ${live} limit ${most}) as counts) as added`;
}

/** The count of the wanted status. */
const OF_STATUS = sql`case ${parameter('status')}::text ${sql.join(
  STATUSES.map((each) => sql`when ${sql.raw(`'${each}'`)} then ${verificationCounts[each]}`),
  sql` `,
)} end`;

function pageStatement({ status: wanted, after }: QueueQuery, matching: SQL): SQL {
  const select = (condition: SQL, order: SQL) =>
    sql`select * from ${verifications} where ${matching} ${condition} order by ${order} ${LIMIT}`;
  // Verifications that were never submitted are ordered by id alone.
  const unsubmitted = select(sql`and ${submittedAt} is null and ${AFTER_ID}`, sql`${id}`);
  if (wanted === 'pending') return after === undefined ? select(sql``, sql`${id}`) : unsubmitted;
  if (after === undefined) return select(sql``, sql`${submittedAt}, ${id}`);
  if (after.submittedAt === null) return unsubmitted;
  const next = select(
    sql`and ${isAfter([submittedAt, id], [sql`${parameter('afterAt')}::timestamptz`, sql`${parameter('afterId')}::uuid`])}`,
    sql`${submittedAt}, ${id}`,
  );
  const all = sql`and ${submittedAt} is null`;
  return sql`select * from ((${next}) union all (${select(all, sql`${id}`)})) as parts ${LIMIT}`;
}

function conditionsOf(query: QueueQuery): SQL[] {
  const all = [query.status === 'pending' ? sql`${status} = 'pending'` : sql`${status} = ${parameter('status')}`];
  // Redundant, but shows the planner that the index of the queue holds all of them. Claims have an index of their own.
  if (query.status !== 'pending' && typeof query.claimedBy !== 'string') all.push(sql`${status} <> 'pending'`);
  if (query.type !== undefined) all.push(sql`${type} = ${parameter('type')}`);
  if (query.clientId !== undefined) all.push(sql`${clientId} = ${parameter('clientId')}`);
  if (query.claimedBy === null) all.push(sql`${claimedBy} is null`);
  if (typeof query.claimedBy === 'string') all.push(sql`${claimedBy} = ${parameter('claimedBy')}`);
  if (query.isWarned) all.push(oneOf(severity, SEVERITIES_TO_CHECK), sql`${status} <> 'pending'`);
  if (query.isResubmitted) all.push(sql`${isResubmitted}`);
  // A literal, which shows the planner that the index of warned or resubmitted verifications holds all of them.
  if ((query.isWarned || query.isResubmitted) && query.status === 'submitted')
    all.push(sql`${status} = 'submitted'`);
  if (query.liveOnly) all.push(isLive(clientId));
  return all;
}

/**
 * Looked up for each row that is read, so that the order of the index is kept. Of a boolean, Postgres expects half to be true; of
 * `(…) is null` only few, and would sort them all.
 */
const isLive = (client: SQLWrapper): SQL =>
  sql`(select test_of is null from clients where clients.id = ${client})`;
