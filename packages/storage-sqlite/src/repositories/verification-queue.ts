import { SEVERITIES_TO_CHECK } from '@countersign/domain';
import {
  countOf,
  matchesNothing,
  matchingGroups,
  type QueueQuery,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { every, isAfter } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Columns, createStatementCache, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/rows.ts';
import { verificationCounts, verifications } from '../schema.ts';
import { ROWID } from './group-statements.ts';
import { createListCounts, IS_LIVE } from './list-counts.ts';
import type { RowPage } from './list-pages.ts';
import type { RunLongRead } from './long-read-kinds.ts';
import { compileRowWithId, WITHOUT_DOCUMENTS } from './verification-pages.ts';

const { status, type, clientId, claimedBy, submittedAt, id, severity, isResubmitted } = verifications;

/** Number of a client's verifications that are looked up and sorted. More are found in the order of the queue. */
const FEW = 1_000;

/** Number of ids that are looked through for pending verifications, before all of them are sorted. */
const LOOKED_THROUGH = 500;

/** The index by which verifications are found, and whether it has the order of the queue. */
type Way = 'queue' | 'claims' | 'groups' | 'resubmitted' | 'warned';

const LIMIT = sql`limit ${sql.placeholder('limit')}`;
const MOST = sql`limit ${sql.placeholder('most')}`;

/** Creates `queue`. Pages that may skip or sort many verifications are read apart. */
export function createQueue(session: Session, runApart: RunLongRead): VerificationRepository['queue'] {
  const page = createQueuePage(session);
  return async (query) => {
    const mayTakeLong = query.status === 'pending' || query.type !== undefined || query.liveOnly;
    const { rows, totalCount } = mayTakeLong
      ? await session.readApart(() => runApart('queue', query))
      : await session.readPage(() => page(query));
    return { records: rows.map(listedVerification), totalCount };
  };
}

/** Creates a function that reads a page of the queue inside the caller's transaction. */
export function createQueuePage(session: Pick<Session, 'connection'>): (query: QueueQuery) => RowPage {
  const statementFor = createStatementCache(session.connection);
  const counts = createListCounts(session);
  const pending = createPendingQueue(session);
  const rowWithId = compileRowWithId(session, WITHOUT_DOCUMENTS);

  /** Counts the matches of a client or a type without reading them. Claims are not counted. */
  function countedMatches(query: QueueQuery): number | undefined {
    const { status: wanted, type: ofType, clientId: client, liveOnly } = query;
    if (hasOwnIndex(query)) return undefined;
    if (client === undefined)
      return ofType === undefined ? undefined : counts.ofAllClients({ status: wanted, type: ofType, liveOnly });
    // The client may be a test twin.
    return liveOnly ? undefined : countOf(matchingGroups(counts.groups(client), { status: wanted, type: ofType }));
  }

  function wayTo(query: QueueQuery): Way {
    if (typeof query.claimedBy === 'string') return 'claims';
    if (query.isResubmitted) return 'resubmitted';
    if (query.isWarned && query.status === 'submitted') return 'warned';
    return query.clientId !== undefined &&
      (countedMatches({ ...query, liveOnly: false, isWarned: false }) ?? 0) <= FEW
      ? 'groups'
      : 'queue';
  }

  function submitted(query: QueueQuery): { rowids: readonly unknown[]; totalCount: number } {
    const way = wayTo(query);
    const conditions = conditionsOf(query, way);
    const shape = [way, ...conditions.map(({ name }) => name)].join();
    const from = sql`${verifications} indexed by ${sql.raw(`verifications_${way}`)}
      where ${every(conditions.map(({ condition }) => condition))}`;
    const { after, limit, countUpTo } = query;
    const afterId = after?.id ?? '';
    const values = {
      ...shared(query),
      afterAt: after?.submittedAt?.getTime(),
      afterId,
      // After a position with a time come all that were never submitted.
      unsubmittedAfter: after?.submittedAt === null ? afterId : '',
    };
    const read = (part: keyof typeof PARTS, most: number): Columns[] =>
      statementFor(
        `${part} ${shape}`,
        () => sql`select ${ROWID} from ${from} and ${PARTS[part]} order by ${submittedAt}, ${id} ${LIMIT}`,
      ).all({ ...values, limit: most });

    const first =
      after === undefined ? read('first', limit) : after.submittedAt === null ? [] : read('after', limit);
    const last = first.length < limit ? read('unsubmitted', limit - first.length) : [];
    const countUp = (): unknown =>
      statementFor(`total ${shape}`, () => sql`select count(*) from (select 1 from ${from} ${MOST})`).get({
        ...values,
        most: countUpTo + 1,
      })?.[0];
    const counted = query.claimedBy === undefined ? countedMatches(query) : undefined;
    return {
      rowids: [...first, ...last].map(([rowid]) => rowid),
      totalCount: counted ?? Number(countUp()),
    };
  }

  return (query) => {
    const found = matchesNothing(query) ? NONE : query.status === 'pending' ? pending(query) : submitted(query);
    return { rows: found.rowids.flatMap((rowid) => rowWithId.all({ rowid })), totalCount: found.totalCount };
  };
}

/** Whether a filter matches few verifications, which are not counted beside them. */
function hasOwnIndex(query: QueueQuery): boolean {
  return query.isWarned === true || query.isResubmitted === true;
}

const NONE = { rowids: [], totalCount: 0 };

/** The parts of a page: SQLite sorts nulls first, and the queue has them last. */
const PARTS = {
  first: sql`${submittedAt} is not null`,
  after: isAfter([submittedAt, id], ['afterAt', 'afterId'].map(parameter)),
  unsubmitted: sql`${submittedAt} is null and ${id} > ${parameter('unsubmittedAfter')}`,
};

interface Condition {
  readonly name: string;
  readonly condition: SQL;
}

function conditionsOf(query: QueueQuery, way: Way): readonly Condition[] {
  const all: Condition[] = [{ name: 'status', condition: sql`${status} = ${parameter('status')}` }];
  // Redundant, but shows the planner that the index of the queue holds all of them.
  if (way === 'queue') all.push({ name: 'submitted', condition: sql`${status} <> 'pending'` });
  if (query.type !== undefined) all.push({ name: 'type', condition: sql`${type} = ${parameter('type')}` });
  if (query.clientId !== undefined) {
    all.push({ name: 'client', condition: sql`${clientId} = ${parameter('clientId')}` });
  }
  if (query.claimedBy === null) all.push({ name: 'unclaimed', condition: sql`${claimedBy} is null` });
  if (typeof query.claimedBy === 'string') {
    all.push({ name: 'claimed', condition: sql`${claimedBy} = ${parameter('claimedBy')}` });
  }
  // Literals, which show the planner that the index of warned or resubmitted verifications holds all of them.
  if (way === 'warned' || way === 'resubmitted')
    all.push({ name: 'waiting', condition: sql`${status} = 'submitted'` });
  if (query.isWarned) all.push({ name: 'warned', condition: oneOf(severity, SEVERITIES_TO_CHECK) });
  if (query.isResubmitted) all.push({ name: 'again', condition: sql`${isResubmitted}` });
  if (query.liveOnly) all.push({ name: 'live', condition: IS_LIVE });
  return all;
}

/** The parameters that every statement may have. */
function shared({
  liveOnly: _,
  isWarned: __,
  isResubmitted: ___,
  ...query
}: QueueQuery): Omit<QueueQuery, 'liveOnly' | 'isWarned' | 'isResubmitted'> {
  return query;
}

/**
 * Reads pending verifications, which are not in the index of the queue: a creation would have to update it. None was ever
 * submitted, so their order is that of their ids.
 */
function createPendingQueue({ connection }: Pick<Session, 'connection'>) {
  const statementFor = createStatementCache(connection);
  const isPending = sql`${status} = 'pending'`;
  const afterPosition = sql`${id} > ${parameter('afterId')}`;

  return (query: QueueQuery): { rowids: readonly unknown[]; totalCount: number } => {
    const filters = [
      ...(query.type === undefined ? [] : [sql`type = ${parameter('type')}`]),
      ...(query.clientId === undefined ? [] : [sql`client_id = ${parameter('clientId')}`]),
      ...(query.liveOnly ? [IS_LIVE] : []),
    ];
    const filter = sql.join(filters.flatMap((each) => [sql` and `, each]));
    const shape = `${query.type === undefined} ${query.clientId === undefined} ${query.liveOnly}`;
    const { after, limit, countUpTo } = query;
    // Pending verifications have no time of a submission, so they are before no position that has one.
    const values = {
      ...shared(query),
      afterId: after?.id ?? '',
      lookedThrough: LOOKED_THROUGH,
      most: countUpTo + 1,
    };
    const near = statementFor(
      `near ${shape}`,
      () => sql`select found from (
          select ${ROWID} as found, ${id}, ${status}, ${type}, ${clientId} from ${verifications}
          indexed by sqlite_autoindex_verifications_1
          where ${afterPosition} order by ${id} limit ${sql.placeholder('lookedThrough')}
        ) as ${verifications} where ${isPending}${filter} ${LIMIT}`,
    ).all(values);
    const rowids =
      near.length === limit
        ? near
        : statementFor(
            `sorted ${shape}`,
            // The plus keeps SQLite from reading every row in the order of ids.
            () => sql`select ${ROWID} from ${verifications} indexed by verifications_groups
              where ${isPending}${filter} and +${afterPosition} order by +${id} ${LIMIT}`,
          ).all(values);
    const total = statementFor(
      `total ${shape}`,
      () => sql`select coalesce(sum(pending), 0) from (
          select ${verificationCounts.pending} as pending from ${verificationCounts}
          where ${verificationCounts.pending} > 0${filter} ${MOST})`,
    );
    return { rowids: rowids.map(([rowid]) => rowid), totalCount: Number(total.get(values)?.[0]) };
  };
}
