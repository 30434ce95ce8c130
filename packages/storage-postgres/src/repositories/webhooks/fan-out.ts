import type { WebhookRepository } from '@countersign/domain/storage';
import { SENT_EVENT_TYPES, webhookTypeOf } from '@countersign/domain/webhooks';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../../connection/session.ts';
import { columnNames, parameter, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { momentText, parseInteger } from '../../rows/parse-row.ts';
import { verificationEvents, webhookDeliveries, webhookEndpoints } from '../../schema.ts';

const events = verificationEvents;
const endpoints = webhookEndpoints;
const deliveries = webhookDeliveries;

/**
 * Clients with an endpoint that is not disabled, and the first moment from which one of them receives events. Other clients
 * and their events are never read.
 */
export const RECEIVING_CLIENTS: SQL = sql`
  select ${endpoints.clientId}, min(${endpoints.since}) as since from ${endpoints}
  where ${endpoints.state} <> 'disabled' group by ${endpoints.clientId}`;

/**
 * Unsent events of the row `receiving`, the oldest first. The lateral join with its limit keeps the planner from reading more
 * than each client's first ones by the index.
 */
export const UNSENT: SQL = sql`
  select ${events.clientId}, ${events.verificationId}, ${events.version}, ${events.id}, ${events.at} from ${events}
  where ${events.clientId} = receiving.client_id and ${events.unsent} and ${events.at} >= receiving.since
  order by ${events.at}, ${events.version}, ${events.id} limit ${parameter('limit')}`;

/** The type of webhook for a type of event; null for events that are not sent. */
const WEBHOOK_TYPE = sql`case ${events.type} ${sql.join(
  SENT_EVENT_TYPES.map((type) => sql.raw(`when '${type}' then '${webhookTypeOf(type)}'`)),
  sql` `,
)} end`;

/** Held until the statement has committed. Concurrent calls skip the client, or by chance another one with the same lock key. */
const TRY_LOCK = sql`pg_try_advisory_xact_lock(hashtextextended('webhooks of ' || client_id, 0))`;

/**
 * Order of locks: the client, its endpoints by id, its events. A statement reads the moment of its beginning, so what another
 * fan-out has changed since then is seen only in the rows that are locked: an event that is not unsent any more is left out.
 *
 * `earlier` adds unsent events of a lower version whose clock was ahead.
 */
const FAN_OUT = statementOf(sql`
  with oldest as materialized (
    select unsent.* from (${RECEIVING_CLIENTS}) as receiving cross join lateral (${UNSENT}) as unsent
    order by unsent.at, unsent.version, unsent.id limit ${parameter('limit')}
  ), client as materialized (
    select client_id from (select distinct client_id from oldest) as each where ${TRY_LOCK}
  ), endpoint as materialized (
    select ${endpoints.clientId}, ${endpoints.id}, ${endpoints.types}, ${endpoints.since} from ${endpoints}
    where ${endpoints.clientId} in (select client_id from client) and ${endpoints.state} <> 'disabled'
    order by ${endpoints.clientId}, ${endpoints.id} for no key update
  ), receiving as materialized (
    select client_id, min(since) as since from endpoint group by client_id
  ), last as materialized (
    select oldest.client_id, verification_id, max(version) as version, receiving.since
    from oldest join receiving on receiving.client_id = oldest.client_id
    group by oldest.client_id, verification_id, receiving.since
  ), taken as (
    update ${events} set unsent = null from last
    where ${events.clientId} = last.client_id and ${events.verificationId} = last.verification_id
      and ${events.version} <= last.version and ${events.unsent} and ${events.at} >= last.since
    returning ${events.clientId}, ${events.id}, ${events.verificationId}, ${events.version}, ${events.at},
      ${WEBHOOK_TYPE} as type
  ), added as (
    insert into ${deliveries} (${columnNames(deliveries)})
    select taken.client_id, endpoint.id, taken.id, taken.verification_id, taken.version, taken.type, taken.at, 'waiting', 0,
      greatest(${parameter('now')}::timestamptz, (
        select max(${deliveries.dueAt}) from ${deliveries}
        where ${deliveries.clientId} = taken.client_id and ${deliveries.endpointId} = endpoint.id
          and ${deliveries.verificationId} = taken.verification_id and ${deliveries.version} < taken.version
          and ${deliveries.state} = 'waiting'
      ))
    from taken join endpoint on endpoint.client_id = taken.client_id
    where taken.type is not null and endpoint.since <= taken.at and endpoint.types @> to_jsonb(taken.type)
    returning ${deliveries.clientId}, ${deliveries.endpointId}, ${deliveries.dueAt}
  ), woken as (
    update ${endpoints} set due_at = least(${endpoints.dueAt}, due.at), wakes = ${endpoints.wakes} + 1
    from (select client_id, endpoint_id, min(due_at) as at from added group by client_id, endpoint_id) as due
    where ${endpoints.clientId} = due.client_id and ${endpoints.id} = due.endpoint_id
  )
  select count(*)::integer from taken`);

export function createFanOut({ write }: Session): WebhookRepository['fanOut'] {
  return async ({ now, limit }) => {
    const [row] = await write(FAN_OUT, { now: momentText(now), limit });
    return parseInteger('count', row?.[0]);
  };
}
