import type { Delivery, EndpointLease, WebhookRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { areIds, isStorable, momentText, parseInteger, type Row } from '../../rows/parse-row.ts';
import { verificationEvents, webhookDeliveries, webhookEndpoints } from '../../schema.ts';
import { endpointRows, eventRows } from '../../tables/rows.ts';
import { THE_ENDPOINT } from './endpoints.ts';

type SendingOperations = Pick<WebhookRepository, 'leaseEndpoints' | 'extend' | 'due' | 'release'>;

const events = verificationEvents;
const endpoints = webhookEndpoints;
const deliveries = webhookDeliveries;

/** The endpoint of a lease that still holds. */
export const HELD: SQL = sql`${THE_ENDPOINT} and ${endpoints.leaseToken} = ${parameter('leaseToken')}`;

/** Deliveries that wait for the row `endpoint`. */
const WAITING = sql`
  ${deliveries.clientId} = endpoint.client_id and ${deliveries.endpointId} = endpoint.id and ${deliveries.state} = 'waiting'`;

/** Skips endpoints that a concurrent call has locked. One may be due earlier than its first delivery: it is not leased then. */
const LEASE = statementOf(sql`
  with due as materialized (
    select endpoint.client_id, endpoint.id, endpoint.due_at from ${endpoints} as endpoint
    where endpoint.state = 'active' and endpoint.due_at <= ${parameter('now')}
      and (endpoint.leased_until is null or endpoint.leased_until <= ${parameter('now')})
      and endpoint.id <> all (${parameter('except')}::uuid[])
      and (
        select ${deliveries.dueAt} from ${deliveries} where ${WAITING} order by ${deliveries.dueAt} limit 1
      ) <= ${parameter('now')}
    order by endpoint.due_at, endpoint.id limit ${parameter('limit')}
    for no key update skip locked
  )
  update ${endpoints} set lease_token = ${parameter('leaseToken')}, leased_until = ${parameter('until')}
  from due where ${endpoints.clientId} = due.client_id and ${endpoints.id} = due.id
  returning ${columnsOf(endpoints)}`);
/** Index of `due_at`, and of the id, among the columns of an endpoint. */
const [DUE_AT, ID] = [16, 1];

const EXTEND = statementOf(sql`update ${endpoints} set leased_until = ${parameter('until')} where ${HELD}`);

/**
 * Whether no earlier version waits. The planner cannot turn this form into a join of all waiting deliveries, so it looks up the
 * few that are due.
 */
const IS_FIRST = sql`${deliveries.version} = (
  select min(earlier.version) from ${deliveries} as earlier
  where earlier.client_id = ${deliveries.clientId} and earlier.endpoint_id = ${deliveries.endpointId}
    and earlier.verification_id = ${deliveries.verificationId} and earlier.state = 'waiting'
)`;

const ORDER = sql`${deliveries.dueAt}, ${deliveries.at}, ${deliveries.eventId}`;

/** One row for the endpoint, with nulls, if nothing is due; no row without the lease. */
const DUE = statementOf(sql`
  select first.attempts, ${columnsOf(events)}
  from (
    select ${endpoints.clientId}, ${endpoints.id} from ${endpoints} where ${HELD} and ${endpoints.state} = 'active'
  ) as endpoint
  left join lateral (
    select * from ${deliveries}
    where ${WAITING} and ${deliveries.dueAt} <= ${parameter('now')} and ${IS_FIRST}
      and ${deliveries.verificationId} <> all (${parameter('except')}::uuid[])
    order by ${ORDER} limit ${parameter('limit')}
  ) as first on true
  left join ${events} on ${events.clientId} = first.client_id and ${events.verificationId} = first.verification_id
    and ${events.version} = first.version and ${events.id} = first.event_id
  order by first.due_at, first.at, first.event_id`);

/**
 * Sees the deliveries of the moment when it begins. If a fan-out adds some meanwhile, `wakes` differs, and the endpoint stays
 * due.
 */
const RELEASE = statementOf(sql`
  with seen as materialized (
    select endpoint.wakes, (
      select ${deliveries.dueAt} from ${deliveries} where ${WAITING} and ${IS_FIRST} order by ${ORDER} limit 1
    ) as due_at
    from (select * from ${endpoints} where ${HELD}) as endpoint
  )
  update ${endpoints} set lease_token = null, leased_until = null,
    due_at = case when ${endpoints.wakes} = seen.wakes then seen.due_at else ${endpoints.dueAt} end
  from seen where ${HELD}`);

export function createSending({ read, write }: Session): SendingOperations {
  /** Runs a statement about a lease; returns no rows if the token or an id is malformed. */
  async function ofLease(
    run: typeof write,
    statement: Statement,
    lease: EndpointLease,
    values: Parameters<typeof write>[1] = {},
  ): ReturnType<typeof write> {
    if (!isLease(lease)) return Object.assign([], { count: 0 });
    return run(statement, { ...leaseValues(lease), ...values });
  }

  return {
    async leaseEndpoints({ leaseToken, now, until, limit, except = [] }) {
      const times = { now: momentText(now), until: momentText(until) };
      const values = { leaseToken, ...times, limit, except: arrayOf(except) };
      const rows = await write(LEASE, values);
      // Changed rows are returned in no particular order.
      return rows.toSorted(byDueAt).map(endpointRows.fromRow);
    },

    async extend(lease, until) {
      const { count } = await ofLease(write, EXTEND, lease, { until: momentText(until) });
      return { outcome: count > 0 ? 'extended' : 'lease_lost' };
    },

    async due(lease, { now, limit, except }) {
      const values = { now: momentText(now), limit, except: arrayOf(except) };
      const rows = await ofLease(read, DUE, lease, values);
      if (rows.length === 0) return null;
      return rows.filter(([attempts]) => attempts !== null).map(fromDueRow);
    },

    async release(lease) {
      await ofLease(write, RELEASE, lease);
    },
  };
}

/** Whether the token and ids are well-formed. PostgreSQL would report an error for other texts; they hold no lease. */
export function isLease({ clientId, endpointId, leaseToken }: EndpointLease): boolean {
  return areIds(clientId, endpointId) && isStorable(leaseToken);
}

/** An array of ids, as PostgreSQL writes it. No row has a malformed id. */
function arrayOf(ids: readonly string[]): string {
  return `{${ids.filter((id) => areIds(id)).join()}}`;
}

export function leaseValues({
  clientId,
  endpointId,
  leaseToken,
}: EndpointLease): Record<keyof EndpointLease, string> {
  return { clientId, endpointId, leaseToken };
}

function byDueAt(a: Row, b: Row): number {
  const [first, second] = [a, b].map((row) => `${String(row[DUE_AT])} ${String(row[ID])}`) as [string, string];
  return first < second ? -1 : 1;
}

/** The attempts of a delivery, then the columns of its event in the order of the schema. */
function fromDueRow([attempts, ...event]: Row): Delivery {
  return { event: eventRows.fromRow(event), attempts: parseInteger('attempts', attempts) };
}
