import type { RetentionRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { areIds, momentText, parseDateOrNull, parseText } from '../../rows/parse-row.ts';
import { clientRetention, clients, retentionRuns, verifications } from '../../schema.ts';
import { clientRetentionRows, retentionRunRows } from '../../tables/rows.ts';

type Operations = Pick<
  RetentionRepository,
  'ofClient' | 'ofClients' | 'setPolicy' | 'setPlan' | 'recheck' | 'beginRun' | 'lastRun'
>;

/** A test twin has the policy of its client, and is planned on its own. */
const ENTRIES = sql`
  select ${clients.id}, applied.policy, ${clientRetention.plannedBy}, ${clientRetention.plannedAfter}
  from ${clients} left join ${clientRetention} on ${clientRetention.clientId} = ${clients.id}
  left join ${clientRetention} as applied on applied.client_id = coalesce(${clients.testOf}, ${clients.id})`;

const OF_CLIENT = statementOf(sql`${ENTRIES} where ${clients.id} = ${parameter('clientId')}`);
const FIRST_CLIENTS = statementOf(sql`${ENTRIES} order by ${clients.id} limit ${parameter('limit')}`);
const NEXT_CLIENTS = statementOf(sql`
  ${ENTRIES} where ${clients.id} > ${parameter('after')} order by ${clients.id} limit ${parameter('limit')}`);

/** Nothing is inserted for a client that does not exist. */
const SET_POLICY = statementOf(sql`
  insert into ${clientRetention} (client_id, policy)
  select ${clients.id}, ${parameter('policy')}::jsonb from ${clients} where ${clients.id} = ${parameter('clientId')}
  on conflict (client_id) do update set policy = excluded.policy`);

const SET_PLAN = statementOf(sql`
  insert into ${clientRetention} (client_id, planned_by, planned_after)
  select ${clients.id}, ${parameter('plannedBy')}::text, ${parameter('plannedAfter')}::uuid from ${clients}
  where ${clients.id} = ${parameter('clientId')}
  on conflict (client_id) do update set planned_by = excluded.planned_by, planned_after = excluded.planned_after`);

const TO_RECHECK = sql`
  ${verifications.erasedAt} is null
  and (${verifications.retentionCheckAt} is null or ${verifications.retentionCheckAt} > ${parameter('at')}::timestamptz)`;

/**
 * Looks at a page of the primary key, and locks what it changes in the order of the page, so that two slices at once both end. The
 * lateral join finds each row by the key of the page, also without statistics.
 */
const recheckOf = (next: SQL): Statement =>
  statementOf(sql`
    with page as materialized (
      select ${verifications.clientId}, ${verifications.id}, ${verifications.resolvedAt} from ${verifications}
      where ${verifications.clientId} = ${parameter('clientId')} and ${next}
      order by ${verifications.id} limit ${parameter('limit')}
    ), stale as materialized (
      select locked.* from page cross join lateral (
        select ${verifications.clientId}, ${verifications.id} from ${verifications}
        where ${verifications.clientId} = page.client_id and ${verifications.id} = page.id and ${TO_RECHECK}
        for no key update
      ) as locked
      where page.resolved_at is not null
    ), changed as (
      update ${verifications} set retention_check_at = ${parameter('at')}::timestamptz from stale
      where ${verifications.clientId} = stale.client_id and ${verifications.id} = stale.id
    )
    select id from page order by id desc limit 1`);

const RECHECK_FIRST = recheckOf(sql`true`);
const RECHECK_NEXT = recheckOf(sql`${verifications.id} > ${parameter('after')}`);

/** Locks the row before it reads the last run, so that simultaneous runs follow one another. */
const BEGIN_RUN = statementOf(sql`
  with before as materialized (
    select ${retentionRuns.lastRunAt} from ${retentionRuns} for update
  ), begun as (
    insert into ${retentionRuns} (id, last_run_at)
    select 1, ${parameter('now')}::timestamptz from (select count(*) from before) as locked
    on conflict (id) do update set last_run_at = excluded.last_run_at, paused_until = case
      when ${retentionRuns.lastRunAt} not between ${parameter('expectedFrom')}::timestamptz
        and ${parameter('expectedUntil')}::timestamptz
        or ${retentionRuns.pausedUntil} > ${parameter('pauseUntil')}::timestamptz then ${parameter('pauseUntil')}::timestamptz
      else ${retentionRuns.pausedUntil} end
    returning ${retentionRuns.pausedUntil}
  )
  select begun.paused_until, before.last_run_at from begun left join before on true`);

const LAST_RUN = statementOf(sql`select ${columnsOf(retentionRuns)} from ${retentionRuns}`);

/** Creates the operations that decide when retention looks at verifications. */
export function createPlanning({ read, write }: Session): Operations {
  return {
    async ofClient(clientId) {
      const [row] = areIds(clientId) ? await read(OF_CLIENT, { clientId }) : [];
      return row === undefined ? null : clientRetentionRows.fromRow(row);
    },

    async ofClients(after, limit) {
      if (after !== null && !areIds(after)) return [];
      const rows = await (after === null ? read(FIRST_CLIENTS, { limit }) : read(NEXT_CLIENTS, { after, limit }));
      return rows.map(clientRetentionRows.fromRow);
    },

    async setPolicy(clientId, policy) {
      if (!areIds(clientId)) return { outcome: 'client_not_found' };
      const { count } = await write(SET_POLICY, { clientId, ...clientRetentionRows.toColumns({ policy }) });
      return { outcome: count === 1 ? 'changed' : 'client_not_found' };
    },

    async setPlan({ clientId, plannedBy, plannedAfter }) {
      if (areIds(clientId)) await write(SET_PLAN, { clientId, plannedBy, plannedAfter });
    },

    async recheck({ clientId, after, limit, at }) {
      if (!areIds(clientId) || (after !== null && !areIds(after))) return { last: null };
      const values = { clientId, limit, at: momentText(at) };
      const [row] = await (after === null
        ? write(RECHECK_FIRST, values)
        : write(RECHECK_NEXT, { ...values, after }));
      return { last: row === undefined ? null : parseText('id', row[0]) };
    },

    async lastRun() {
      const [row] = await read(LAST_RUN, {});
      return row === undefined ? null : retentionRunRows.fromRow(row);
    },

    async beginRun({ now, expectedFrom, expectedUntil, pauseUntil }) {
      const [row] = await write(BEGIN_RUN, {
        now: momentText(now),
        expectedFrom: momentText(expectedFrom),
        expectedUntil: momentText(expectedUntil),
        pauseUntil: momentText(pauseUntil),
      });
      return {
        pausedUntil: parseDateOrNull('paused_until', row?.[0]),
        lastRunAt: parseDateOrNull('last_run_at', row?.[1]),
      };
    },
  };
}
