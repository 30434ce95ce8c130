import type { EndpointChange, ExpectedEndpoint, WebhookRepository } from '@countersign/domain/storage';
import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import { every, list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { unavailable, violatedConstraint } from '../../connection/faults.ts';
import type { Session } from '../../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf, type Value } from '../../connection/statement.ts';
import { getTableColumns, sql } from '../../drizzle.ts';
import { areIds, momentText } from '../../rows/parse-row.ts';
import { webhookDeliveries, webhookEndpoints } from '../../schema.ts';
import { endpointRows } from '../../tables/rows.ts';

type EndpointOperations = Pick<WebhookRepository, 'add' | 'list' | 'change' | 'remove'>;

const { clientId, id, createdAt } = webhookEndpoints;

/** The endpoint of the parameters `clientId` and `endpointId`. */
export const THE_ENDPOINT: SQL = sql`${clientId} = ${parameter('clientId')} and ${id} = ${parameter('endpointId')}`;

const LISTED = statementOf(sql`
  select ${columnsOf(webhookEndpoints)} from ${webhookEndpoints} where ${clientId} = ${parameter('clientId')}
  order by ${createdAt}, ${id}`);

const REMOVE = statementOf(sql`delete from ${webhookEndpoints} where ${THE_ENDPOINT}`);

export function createEndpoints(session: Session): EndpointOperations {
  const { read, write } = session;
  return {
    add: createAdd(session),

    async list(client) {
      return areIds(client) ? (await read(LISTED, { clientId: client })).map(endpointRows.fromRow) : [];
    },

    change: createChange(session),

    async remove(client, endpointId) {
      if (!areIds(client, endpointId)) return { outcome: 'not_found' };
      const { count } = await write(REMOVE, { clientId: client, endpointId });
      return { outcome: count > 0 ? 'removed' : 'not_found' };
    },
  };
}

const { slot: _, dueAt, wakes, leaseToken, leasedUntil, ...given } = getTableColumns(webhookEndpoints);

const GIVEN = list(Object.values(given).map(({ name }) => sql.identifier(name)));

/**
 * The new endpoint gets the lowest free slot. If all are taken, it gets the slot after the last, which a constraint refuses:
 * the constraint enforces the cap, not this expression.
 */
const ADD = statementOf(sql`
  insert into ${webhookEndpoints} (${GIVEN}, slot)
  values (${list(Object.keys(given).map((key) => parameter(key)))}, (
    select min(free.slot) from generate_series(1, ${sql.raw(String(MAX_WEBHOOK_ENDPOINTS + 1))}) as free (slot)
    where free.slot not in (
      select ${webhookEndpoints.slot} from ${webhookEndpoints}
      where ${clientId} = ${parameter('clientId')} and ${webhookEndpoints.slot} is not null
    )
  ))`);

/** Each failed attempt means that another endpoint got a slot, so ten suffice unless endpoints are added and removed constantly. */
const ATTEMPTS = 50;

function createAdd({ operation }: Session): WebhookRepository['add'] {
  return (endpoint) =>
    operation(async ({ write }) => {
      if (!areIds(endpoint.clientId)) return { outcome: 'client_not_found' };
      const values = endpointRows.toRow(endpoint);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        try {
          await write(ADD, values);
          return { outcome: 'added' };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'webhook_endpoints_slot_in_range') return { outcome: 'limit_reached' };
          if (violated === 'webhook_endpoints_client') return { outcome: 'client_not_found' };
          if (violated !== 'webhook_endpoints_slot') throw error;
        }
      }
      throw unavailable('The webhook endpoints of the client keep changing');
    });
}

const deliveries = webhookDeliveries;

/**
 * Makes waiting deliveries follow the state of their endpoint: due immediately, or failed.
 * @param of the endpoint's row, with `client_id`, `id` and `state`
 */
const moveWaiting = (of: SQL, and: SQL = sql``): SQL => sql`
  update ${deliveries} set
    state = case when ${of}.state = 'disabled' then 'failed' else ${deliveries.state} end,
    due_at = case when ${of}.state = 'disabled' then null else ${parameter('now')}::timestamptz end
  from ${of}
  where ${deliveries.clientId} = ${of}.client_id and ${deliveries.endpointId} = ${of}.id
    and ${deliveries.state} = 'waiting'
    and (${of}.state = 'disabled' or ${of}.state = 'active' and ${deliveries.dueAt} > ${parameter('now')}) ${and}`;

/**
 * Moves the deliveries that a concurrent fan-out added: the statement that changed the state did not see them. Locks the
 * endpoint first: without it, a settle that delays several of them could wait for this statement, and this one for it.
 */
export const MOVE_LATE: Statement = statementOf(sql`
  with endpoint as materialized (
    select ${clientId}, ${id}, ${webhookEndpoints.state} from ${webhookEndpoints} where ${THE_ENDPOINT}
    for no key update
  )
  ${moveWaiting(sql`endpoint`)}`);

const FOUND = statementOf(sql`select 1 from ${webhookEndpoints} where ${THE_ENDPOINT}`);

function createChange({ operation }: Session): WebhookRepository['change'] {
  return (client, endpointId, change, now, expected = {}) =>
    operation(async ({ read, write }) => {
      if (!areIds(client, endpointId)) return { outcome: 'not_found' };
      const values = { clientId: client, endpointId, now: momentText(now) };
      const set = columnsToSet(change);
      const of = every([THE_ENDPOINT, ...conditionsOf(expected)]);
      const [row] = await write(change.state === undefined ? changeOf(set, of) : changeOfState(set, of), values);
      if (row === undefined) {
        const [found] = await read(FOUND, { clientId: client, endpointId });
        return { outcome: found === undefined ? 'not_found' : 'conflict' };
      }
      const isNewState = change.state !== undefined && row.at(-1) !== change.state;
      if (isNewState && change.state !== 'paused') await write(MOVE_LATE, values);
      return { outcome: 'changed', endpoint: endpointRows.fromRow(row) };
    });
}

function conditionsOf({ state, secretVersion }: ExpectedEndpoint): SQL[] {
  return [
    ...(state === undefined ? [] : [sql`${webhookEndpoints.state} = ${state}`]),
    ...(secretVersion === undefined ? [] : [sql`${webhookEndpoints.secretVersion} = ${secretVersion}`]),
  ];
}

function columnsToSet(change: EndpointChange): SQL[] {
  const values: Readonly<Record<string, Value | undefined>> = endpointRows.toColumns(change);
  return Object.entries(given).flatMap(([key, column]) => {
    const value = values[key];
    return value === undefined ? [] : [sql`${sql.identifier(column.name)} = ${value}`];
  });
}

/** Updates the row even if no field changes, so that it is returned. */
function changeOf(set: readonly SQL[], of: SQL): Statement {
  return statementOf(sql`
    update ${webhookEndpoints} set ${list([sql`name = ${webhookEndpoints.name}`, ...set].slice(set.length > 0 ? 1 : 0))}
    where ${of} returning ${columnsOf(webhookEndpoints)}`);
}

/** The endpoint is locked before its deliveries, as in every operation that changes both. The last column is the state before. */
function changeOfState(set: readonly SQL[], of: SQL): Statement {
  const { state } = webhookEndpoints;
  return statementOf(sql`
    with before as materialized (
      select ${clientId}, ${id}, ${state} from ${webhookEndpoints} where ${of} for no key update
    ), changed as (
      update ${webhookEndpoints} set ${list([...set])}, wakes = ${webhookEndpoints.wakes} + 1,
        due_at = case when exists (
          select 1 from ${deliveries}
          where ${deliveries.clientId} = ${clientId} and ${deliveries.endpointId} = ${id}
            and ${deliveries.state} = 'waiting'
        ) then least(${webhookEndpoints.dueAt}, ${parameter('now')}) else ${webhookEndpoints.dueAt} end
      from before where ${clientId} = before.client_id and ${id} = before.id
      returning ${columnsOf(webhookEndpoints)}, before.state as state_before
    ), moved as (
      ${moveWaiting(sql`changed`, sql`and changed.state <> changed.state_before`)}
    )
    select * from changed`);
}
