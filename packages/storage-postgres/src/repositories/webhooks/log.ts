import { DELIVERY_STATES, type WebhookRepository } from '@countersign/domain/storage';
import { isBefore } from '@countersign/statements';
import type { Session } from '../../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { areIds, momentText, parseDateOrNull, parseInteger } from '../../rows/parse-row.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../schema.ts';
import { attemptRows, deliveryRows } from '../../tables/rows.ts';
import { THE_ENDPOINT } from './endpoints.ts';
import { RECEIVING_CLIENTS, UNSENT } from './fan-out.ts';

type LogOperations = Pick<
  WebhookRepository,
  'deliveries' | 'attempts' | 'resend' | 'forget' | 'backlog' | 'countPausedAfterFailures'
>;

const endpoints = webhookEndpoints;
const deliveries = webhookDeliveries;

const OF_ENDPOINT = sql`
  ${deliveries.clientId} = ${parameter('clientId')} and ${deliveries.endpointId} = ${parameter('endpointId')}`;
const THE_DELIVERY = sql`${OF_ENDPOINT} and ${deliveries.eventId} = ${parameter('eventId')}`;

/** Reads the newest of each state, and merges them. */
const LISTED = statementOf(sql`
  select each.* from unnest(${parameter('states')}::text[]) as one (state) cross join lateral (
    select ${columnsOf(deliveries)} from ${deliveries}
    where ${OF_ENDPOINT} and ${deliveries.state} = one.state
      and ${isBefore([deliveries.at, deliveries.eventId], [sql`${parameter('at')}::timestamptz`, sql`${parameter('eventId')}::uuid`])}
    order by ${deliveries.at} desc, ${deliveries.eventId} desc limit ${parameter('limit')}
  ) as each
  order by each.at desc, each.event_id desc limit ${parameter('limit')}`);

/** Comes after every delivery. */
const FROM_THE_FIRST = { at: 'infinity', eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** One row with nulls if there was no attempt; no row without the delivery. */
const ATTEMPTS = statementOf(sql`
  select ${columnsOf(webhookAttempts)} from ${deliveries}
  left join ${webhookAttempts} on ${webhookAttempts.clientId} = ${deliveries.clientId}
    and ${webhookAttempts.endpointId} = ${deliveries.endpointId} and ${webhookAttempts.eventId} = ${deliveries.eventId}
  where ${THE_DELIVERY} order by ${webhookAttempts.at}, ${webhookAttempts.id}`);

/**
 * Locks the endpoint before its deliveries. A delivery is due no earlier than one of an earlier version that waits already;
 * those that wait again now are all due now.
 */
const resendOf = (chosen: ReturnType<typeof sql>): Statement =>
  statementOf(sql`
    with endpoint as materialized (
      select ${endpoints.clientId}, ${endpoints.id}, ${endpoints.state} from ${endpoints} where ${THE_ENDPOINT}
      for no key update
    ), resent as (
      update ${deliveries} set state = 'waiting', attempts = 0, due_at = greatest(${parameter('now')}::timestamptz, (
        select max(earlier.due_at) from ${deliveries} as earlier
        where earlier.client_id = ${deliveries.clientId} and earlier.endpoint_id = ${deliveries.endpointId}
          and earlier.verification_id = ${deliveries.verificationId} and earlier.version < ${deliveries.version}
          and earlier.state = 'waiting'
      ))
      from endpoint
      where ${deliveries.clientId} = endpoint.client_id and ${deliveries.endpointId} = endpoint.id
        and endpoint.state <> 'disabled' and ${deliveries.state} <> 'waiting' and ${chosen}
      returning ${deliveries.dueAt}
    ), due as (
      select min(due_at) as at, count(*) as number from resent
    ), woken as (
      update ${endpoints} set due_at = least(${endpoints.dueAt}, due.at), wakes = ${endpoints.wakes} + 1
      from due where due.number > 0 and ${THE_ENDPOINT}
    )
    select endpoint.state, due.number::integer from endpoint, due`);

const RESEND_ONE = resendOf(sql`${deliveries.eventId} = ${parameter('eventId')}`);
const RESEND_SINCE = resendOf(sql`${deliveries.at} >= ${parameter('since')}`);

/** Reads the logs endpoint by endpoint. Skips locked rows: deliveries that are being resent stay. */
const FORGET = statementOf(sql`
  with past as materialized (
    select each.* from ${endpoints} cross join unnest(${parameter('states')}::text[]) as one (state) cross join lateral (
      select ${deliveries.clientId}, ${deliveries.endpointId}, ${deliveries.eventId} from ${deliveries}
      where ${deliveries.clientId} = ${endpoints.clientId} and ${deliveries.endpointId} = ${endpoints.id}
        and ${deliveries.state} = one.state and ${deliveries.at} < ${parameter('before')}
      order by ${deliveries.at} limit ${parameter('limit')} for update skip locked
    ) as each limit ${parameter('limit')}
  )
  delete from ${deliveries} using past
  where ${deliveries.clientId} = past.client_id and ${deliveries.endpointId} = past.endpoint_id
    and ${deliveries.eventId} = past.event_id and ${deliveries.state} <> 'waiting'`);

const ENDED = DELIVERY_STATES.filter((state) => state !== 'waiting');

/** Reads no more than `limit` of each endpoint and each client. */
const BACKLOG = statementOf(sql`
  with waiting as materialized (
    select each.at from ${endpoints} cross join lateral (
      select ${deliveries.at} from ${deliveries}
      where ${deliveries.clientId} = ${endpoints.clientId} and ${deliveries.endpointId} = ${endpoints.id}
        and ${deliveries.state} = 'waiting'
      order by ${deliveries.at} limit ${parameter('limit')}
    ) as each where ${endpoints.state} = 'active'
  ), unsent as materialized (
    select each.at from (${RECEIVING_CLIENTS}) as receiving cross join lateral (${UNSENT}) as each
  )
  select least((select count(*) from waiting), ${parameter('limit')})::integer,
    least((select count(*) from unsent), ${parameter('limit')})::integer,
    least((select min(at) from waiting), (select min(at) from unsent))`);

const PAUSED = statementOf(sql`
  select count(*)::integer from ${endpoints} where ${endpoints.state} = 'paused' and ${endpoints.failingSince} is not null`);

const listOf = (states: readonly string[]): string => `{${states.join()}}`;

export function createLog({ read, write }: Session): LogOperations {
  return {
    async deliveries({ clientId, endpointId, state, after, limit }) {
      if (!areIds(clientId, endpointId, ...(after === undefined ? [] : [after.eventId]))) return [];
      const place = after === undefined ? FROM_THE_FIRST : { at: momentText(after.at), eventId: after.eventId };
      const states = listOf(state === undefined ? DELIVERY_STATES : [state]);
      return (await read(LISTED, { clientId, endpointId, states, ...place, limit })).map(deliveryRows.fromRow);
    },

    async attempts(clientId, endpointId, eventId) {
      if (!areIds(clientId, endpointId, eventId)) return null;
      const rows = await read(ATTEMPTS, { clientId, endpointId, eventId });
      return rows.length === 0 ? null : rows.filter(([client]) => client !== null).map(attemptRows.fromRow);
    },

    async resend({ clientId, endpointId, which, now }) {
      if (!areIds(clientId, endpointId)) return { outcome: 'not_found' };
      const values = { clientId, endpointId, now: momentText(now) };
      const [row] =
        'since' in which
          ? await write(RESEND_SINCE, { ...values, since: momentText(which.since) })
          : await write(RESEND_ONE, { ...values, eventId: areIds(which.eventId) ? which.eventId : NO_ID });
      if (row === undefined) return { outcome: 'not_found' };
      if (row[0] === 'disabled') return { outcome: 'disabled' };
      return { outcome: 'resent', count: parseInteger('count', row[1]) };
    },

    async forget({ before, limit }) {
      const { count } = await write(FORGET, { states: listOf(ENDED), before: momentText(before), limit });
      return count;
    },

    async countPausedAfterFailures() {
      const [row] = await read(PAUSED, {});
      return parseInteger('count', row?.[0]);
    },

    async backlog(limit) {
      const [row = []] = await read(BACKLOG, { limit });
      const waiting = parseInteger('waiting', row[0]) + parseInteger('unsent', row[1]);
      return { waiting, oldestAt: parseDateOrNull('at', row[2]) };
    },
  };
}

/** An id that no row has. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
