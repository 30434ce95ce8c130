import type { LeaseHold, LeaseOutcome, Outbox } from '@countersign/domain';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, momentText } from '../rows/parse-row.ts';
import { attemptsOf, fromEventRow } from '../rows/rows.ts';
import { verificationEvents } from '../schema.ts';

const { clientId, id, verificationId, version, at, leaseToken, availableAt, attempts, deliveredAt } =
  verificationEvents;

const UNDELIVERED = sql`${deliveredAt} is null`;

/** Skips events that a concurrent lease has locked. */
const LEASE = statementOf(sql`
  with due as materialized (
    select ${clientId}, ${verificationId}, ${version}, ${id} from ${verificationEvents}
    where ${UNDELIVERED} and ${availableAt} <= ${parameter('now')}
    order by ${at}, ${id} limit ${parameter('limit')}
    for update skip locked
  )
  update ${verificationEvents}
  set lease_token = ${parameter('leaseToken')}, available_at = ${parameter('until')}, attempts = ${attempts} + 1
  from due
  where ${clientId} = due.client_id and ${verificationId} = due.verification_id
    and ${version} = due.version and ${id} = due.id
  returning ${columnsOf(verificationEvents)}`);

const HELD = sql`
  ${leaseToken} = ${parameter('leaseToken')} and ${id} = ${parameter('eventId')}
  and ${clientId} = ${parameter('clientId')} and ${UNDELIVERED}`;

const ACK = statementOf(sql`
  update ${verificationEvents} set delivered_at = ${parameter('at')}, lease_token = null where ${HELD}`);
const FAIL = statementOf(sql`
  update ${verificationEvents} set available_at = ${parameter('at')}, lease_token = null where ${HELD}`);

export function createOutbox({ write }: Session): Outbox {
  /** Ends a lease that still holds. */
  async function end(statement: Statement, hold: LeaseHold, moment: Date): Promise<LeaseOutcome> {
    if (!areIds(hold.clientId, hold.eventId) || !isStorable(hold.leaseToken)) return { outcome: 'lease_lost' };
    const { clientId, eventId, leaseToken } = hold;
    const { count } = await write(statement, { clientId, eventId, leaseToken, at: momentText(moment) });
    return { outcome: count > 0 ? 'done' : 'lease_lost' };
  }

  return {
    async lease({ leaseToken, now, until, limit }) {
      const rows = await write(LEASE, { leaseToken, now: momentText(now), until: momentText(until), limit });
      const leased = rows.map((row) => ({ event: fromEventRow(row), attempt: attemptsOf(row) }));
      // Changed rows are returned in no particular order.
      return leased.sort(
        ({ event: a }, { event: b }) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1),
      );
    },
    ack: (hold, at) => end(ACK, hold, at),
    fail: (hold, retryAt) => end(FAIL, hold, retryAt),
  };
}
