import type { Settlement, WebhookRepository } from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { violatedConstraint } from '../../connection/faults.ts';
import type { Runs, Session } from '../../connection/session.ts';
import { parameter, type Statement, statementOf, type Value } from '../../connection/statement.ts';
import { getTableColumns, sql } from '../../drizzle.ts';
import { areIds, momentText, parseDateOrNull } from '../../rows/parse-row.ts';
import { verifications, webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../schema.ts';
import { attemptRows } from '../../tables/rows.ts';
import { queueMails, valuesOfMails } from '../queue-mails.ts';
import { MOVE_LATE } from './endpoints.ts';
import { HELD, isLease, leaseValues } from './sending.ts';

const endpoints = webhookEndpoints;
const deliveries = webhookDeliveries;

/** Waiting deliveries to the row `held`. */
const WAITING = sql`
  ${deliveries.clientId} = held.client_id and ${deliveries.endpointId} = held.id and ${deliveries.state} = 'waiting'`;

const THE_DELIVERY = sql`${deliveries.eventId} = ${parameter('eventId')}`;

/** Ends or delays the delivery if it still waits. */
const SETTLED = sql`
  update ${deliveries} set state = ${parameter('state')}, attempts = ${deliveries.attempts} + 1,
    due_at = ${parameter('dueAt')}::timestamptz
  from held where ${WAITING} and ${THE_DELIVERY}
  returning held.client_id, held.id`;

const { clientId: _, endpointId: __, eventId: ___, ...ofAttempt } = getTableColumns(webhookAttempts);

const names = (columns: readonly SQL[]): SQL => list([...columns]);

/**
 * The verification, locked until the attempt is stored: its erasure begins before, and the attempt has no texts, or afterwards, and
 * `erase` empties the attempt.
 */
const OF_VERIFICATION = sql`
  select ${verifications.erasedAt} from held join ${verifications} on ${verifications.clientId} = held.client_id
    and ${verifications.id} = ${parameter('verificationId')}
  for share of ${verifications}`;

/** What an attempt keeps of an erased verification, by column. */
const WITHOUT_TEXTS: Readonly<Partial<Record<keyof typeof ofAttempt, SQL>>> = {
  request: sql`''`,
  response: sql`null`,
  fault: sql`null`,
};

function valueOfAttempt([key, column]: [string, { getSQLType(): string }]): SQL {
  const value = sql`${parameter(`attempt.${key}`)}::${sql.raw(column.getSQLType())}`;
  const emptied = WITHOUT_TEXTS[key as keyof typeof ofAttempt];
  if (emptied === undefined) return value;
  return sql`case when of_verification.erased_at is null then ${value} else ${emptied} end`;
}

/** Adds the attempt to the log of the delivery, if the delivery exists. */
const LOGGED = sql`
  insert into ${webhookAttempts} (client_id, endpoint_id, event_id, ${names(
    Object.values(ofAttempt).map(({ name }) => sql`${sql.identifier(name)}`),
  )})
  select ${deliveries.clientId}, ${deliveries.endpointId}, ${deliveries.eventId}, ${names(
    Object.entries(ofAttempt).map(valueOfAttempt),
  )}
  from held join ${deliveries} on ${deliveries.clientId} = held.client_id and ${deliveries.endpointId} = held.id
    and ${THE_DELIVERY} left join of_verification on true`;

/**
 * Settles a delivery that ended, when its endpoint needs no change. Deliveries to one endpoint settle at the same time: they share the
 * lock that only keeps the endpoint from being deleted.
 */
const QUIETLY = statementOf(sql`
  with held as materialized (
    select ${endpoints.clientId}, ${endpoints.id} from ${endpoints}
    where ${HELD} and case when ${parameter('state')}::text = 'delivered'
      then ${endpoints.failingSince} is null or ${endpoints.failingSince} >= ${parameter('attempt.at')}
      else ${endpoints.failingSince} > ${parameter('pauseIfFailingSince')}
        and ${endpoints.failingSince} <= ${parameter('attempt.at')} end
    for key share
  ), of_verification as materialized (${OF_VERIFICATION}), settled as (${SETTLED}), logged as (${LOGGED})
  select count(*)::integer from held`);

/** Settles any delivery. The endpoint is locked before its deliveries, as in every operation that changes several of them. */
const withEndpoint = (more: SQL, selected: SQL = sql``): Statement =>
  statementOf(sql`
  with held as materialized (
    select ${endpoints.clientId}, ${endpoints.id}, ${endpoints.state}, ${endpoints.failingSince} as failing_before,
      case when not ${parameter('isDelivered')}::boolean then least(${endpoints.failingSince}, ${parameter('attempt.at')})
        when ${endpoints.failingSince} >= ${parameter('attempt.at')} then ${endpoints.failingSince} end as failing_since
    from ${endpoints} where ${HELD} for no key update
  ), next as materialized (
    select held.*, case
      when ${parameter('disable')}::boolean then 'disabled'
      when not ${parameter('isDelivered')}::boolean and held.state = 'active' and held.failing_since <= ${parameter('pauseIfFailingSince')} then 'paused'
      else held.state end as next_state
    from held
  ), changed as (
    update ${endpoints} set failing_since = next.failing_since, state = next.next_state
    from next where ${endpoints.clientId} = next.client_id and ${endpoints.id} = next.id
      and (${endpoints.failingSince} is distinct from next.failing_since or ${endpoints.state} <> next.next_state)
  ), of_verification as materialized (
    ${OF_VERIFICATION}
  ), settled as (
    ${SETTLED}
  ), later as (
    update ${deliveries} set due_at = ${parameter('dueAt')}::timestamptz from settled as held
    where ${WAITING} and ${deliveries.verificationId} = ${parameter('verificationId')}
      and ${deliveries.version} > ${parameter('version')} and ${deliveries.dueAt} < ${parameter('dueAt')}::timestamptz
  ), logged as (
    ${LOGGED}
  )${more}
  select count(*)::integer${selected} from held`);

const WITH_ENDPOINT = withEndpoint(sql``);

/** The same with mails. Most attempts pause nothing, and each part of a statement takes time. */
const WITH_MAILS = withEndpoint(sql`, queued as (
    ${queueMails(sql`(select 1 from next where state = 'active' and next_state = 'paused') as paused`)}
  )`);

/**
 * The same for a success after failures: makes due what failed during the outage. The delivery that this settles is left to the
 * part that settles it.
 */
const WITH_WAKING = withEndpoint(
  sql`, late as materialized (
    select ${deliveries.clientId}, ${deliveries.endpointId}, ${deliveries.eventId}, ${deliveries.verificationId},
      ${deliveries.version}, ${deliveries.dueAt}, coalesce(${parameter('outageSince')}::timestamptz, held.failing_before) as since
    from held join ${deliveries} on ${WAITING} and ${deliveries.eventId} <> ${parameter('eventId')}
      and ${deliveries.dueAt} > ${parameter('attempt.at')}
    where ${parameter('outageSince')}::timestamptz is not null or (held.failing_before is not null and held.failing_since is null)
    order by ${deliveries.dueAt}, ${deliveries.version}, ${deliveries.eventId} limit ${parameter('wakeLimit')}
  ), woken as materialized (
    select late.*, count(*) over () as total,
      row_number() over (order by late.due_at, late.version, late.event_id) - 1 as place
    from late where not exists (
      select 1 from ${deliveries} join ${webhookAttempts} on ${webhookAttempts.clientId} = ${deliveries.clientId}
        and ${webhookAttempts.endpointId} = ${deliveries.endpointId} and ${webhookAttempts.eventId} = ${deliveries.eventId}
      where ${deliveries.clientId} = late.client_id and ${deliveries.endpointId} = late.endpoint_id
        and ${deliveries.verificationId} = late.verification_id and ${deliveries.state} = 'waiting'
        and ${deliveries.eventId} <> ${parameter('eventId')}
        and (${webhookAttempts.at} < late.since or ${webhookAttempts.at} >= ${parameter('outageUntil')}::timestamptz)
    )
  ), due_again as (
    update ${deliveries} set due_at = ${parameter('attempt.at')}::timestamptz
      + ${parameter('wakeWithinMs')}::bigint * woken.place / woken.total * interval '1 millisecond'
    from woken where ${deliveries.clientId} = woken.client_id and ${deliveries.endpointId} = woken.endpoint_id
      and ${deliveries.eventId} = woken.event_id and ${deliveries.state} = 'waiting'
  )`,
  sql`, (select case when count(*) = ${parameter('wakeLimit')}::bigint then min(since) end from late)`,
);

/** As `settle`, for a delivery that was deleted meanwhile. */
const DELETED = 'webhook_attempts_delivery';

export function createSettle({ operation }: Session): WebhookRepository['settle'] {
  return (
    lease,
    { eventId, verificationId, version },
    { attempt, settlement, pauseIfFailingSince, wake, disable, mailsIfPaused = [] },
  ) =>
    operation(async (runs) => {
      if (!isLease(lease) || !areIds(eventId, verificationId)) return { outcome: 'lease_lost' };
      const values: Record<string, Value> = {
        ...leaseValues(lease),
        ...columnsOfSettlement(disable && settlement.state === 'waiting' ? { state: 'failed' } : settlement),
        isDelivered: settlement.state === 'delivered',
        eventId,
        verificationId,
        version,
        pauseIfFailingSince: momentText(pauseIfFailingSince),
        disable,
        outageSince: wake.outage === undefined ? null : momentText(wake.outage.since),
        outageUntil: wake.outage === undefined ? null : momentText(wake.outage.until),
        wakeLimit: wake.limit,
        wakeWithinMs: wake.withinMs,
        now: momentText(attempt.at),
      };
      for (const [key, value] of Object.entries(attemptRows.toRow(attempt))) values[`attempt.${key}`] = value;

      const isDelivered = settlement.state === 'delivered';
      const mayWake = isDelivered && wake.outage !== undefined;
      const canBeQuiet = !disable && !mayWake && settlement.state !== 'waiting';
      const isQuiet = canBeQuiet && (await settled(runs, QUIETLY, values)) !== null;
      const isLoud = !isDelivered && mailsIfPaused.length > 0;
      const statement = isDelivered ? WITH_WAKING : isLoud ? WITH_MAILS : WITH_ENDPOINT;
      if (isLoud) Object.assign(values, valuesOfMails(mailsIfPaused));
      if (isQuiet) return { outcome: 'settled' };
      const row = await settled(runs, statement, values);
      if (row === null) return { outcome: 'lease_lost' };
      if (disable) await runs.write(MOVE_LATE, values);
      const since = parseDateOrNull('since', row[1] ?? null);
      if (since === null) return { outcome: 'settled' };
      return { outcome: 'settled', unfinished: { since, until: wake.outage?.until ?? attempt.at } };
    });
}

function columnsOfSettlement(settlement: Settlement): { readonly state: string; readonly dueAt: string | null } {
  return { state: settlement.state, dueAt: settlement.state === 'waiting' ? momentText(settlement.dueAt) : null };
}

/** Runs a statement. @returns its row; null if it did not find the endpoint */
async function settled(
  { write }: Runs,
  statement: Statement,
  values: Record<string, Value>,
): Promise<readonly unknown[] | null> {
  try {
    const [row] = await write(statement, values);
    return row?.[0] === 1 ? row : null;
  } catch (error) {
    if (violatedConstraint(error) === DELETED) return null;
    throw error;
  }
}
