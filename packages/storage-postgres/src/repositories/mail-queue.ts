import { MAIL_KINDS } from '@countersign/domain/mail';
import type { MailQueue, MailSettlement } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, statementOf, type Value } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { areIds, isStorable, momentText, parseDateOrNull, parseInteger } from '../rows/parse-row.ts';
import { mails, verifications } from '../schema.ts';
import { mailRows } from '../tables/rows.ts';
import { createKeyNotices } from './key-notices.ts';
import { createMailBudgets } from './mail-budgets.ts';
import { queueMails, valuesOfMails } from './queue-mails.ts';

const ADD = statementOf(queueMails(sql`(select 1) as once`));

const KNOWN = oneOf(mails.kind, MAIL_KINDS);

/** Finds due mails that no other call has locked. */
function dueMails({ and, limit }: { readonly and: SQL; readonly limit: SQL }): SQL {
  return sql`
    select ${mails.id} from ${mails}
    where ${mails.dueAt} <= ${parameter('now')} and ${and}
      and (${mails.leasedUntil} is null or ${mails.leasedUntil} <= ${parameter('now')}) and ${KNOWN}
    order by ${mails.dueAt}, ${mails.id} limit ${limit}
    for no key update skip locked`;
}

/** However many were held back until the same time, they hold up no others. */
const LEASE = statementOf(sql`
  with fresh as materialized (${dueMails({ and: sql`${mails.heldUntil} is null`, limit: sql`${parameter('limit')}` })}
  ), held as materialized (${dueMails({
    and: sql`${mails.heldUntil} is not null`,
    limit: sql`${parameter('limit')}::bigint - (select count(*) from fresh)`,
  })}
  ), due as (select id from fresh union all select id from held)
  update ${mails} set lease_token = ${parameter('leaseToken')}, leased_until = ${parameter('until')}
  from due where ${mails.id} = due.id
  returning ${columnsOf(mails)}`);

const HELD = sql`${mails.id} = ${parameter('mailId')} and ${mails.leaseToken} = ${parameter('leaseToken')}`;

const REMOVE = statementOf(sql`delete from ${mails} where ${HELD}`);

const POSTPONE = statementOf(sql`
  update ${mails} set due_at = ${parameter('dueAt')}, attempts = ${parameter('attempts')}, lease_token = null, leased_until = null
  where ${HELD}`);

/**
 * Locks the verification before the mail, as an erasure does, and before it reads whether the erasure has begun: one that begins at
 * the same time comes before this statement or after it, and deletes what this one stored.
 */
const REPLACE = statementOf(sql`
  with verification as materialized (
    select 1 from ${verifications}
    where ${verifications.clientId} = ${parameter('clientId')} and ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.erasedAt} is null
    for share
  ), looked as materialized (select count(*) as found from verification
  ), removed as (
    delete from ${mails} using looked where ${HELD} and looked.found >= 0 returning looked.found
  ), queued as (${queueMails(sql`(select 1 from removed where found > 0 or ${parameter('verificationId')}::uuid is null) as kept`)})
  select count(*)::integer from removed`);

const HOLD = statementOf(sql`
  update ${mails} set due_at = ${parameter('until')}, held_until = ${parameter('until')}, lease_token = null, leased_until = null
  where ${HELD}`);

/** Since when a mail should have been sent. */
const SENDABLE_AT = sql`coalesce(${mails.heldUntil}, ${mails.plannedAt})`;

const BACKLOG = statementOf(sql`
  select least(count(*), ${parameter('limit')}::integer)::integer, min(${SENDABLE_AT}) from ${mails}
  where ${SENDABLE_AT} <= ${parameter('now')} and ${KNOWN}`);

export function createMailQueue(session: Session): MailQueue {
  const { read, write } = session;
  /** Returns the number of mails that were settled: one or none. */
  async function settle(held: Record<string, Value>, settlement: MailSettlement): Promise<number> {
    if (settlement.state === 'waiting') {
      const { dueAt, attempts } = settlement;
      return (await write(POSTPONE, { ...held, dueAt: momentText(dueAt), attempts })).count;
    }
    if (settlement.state === 'held')
      return (await write(HOLD, { ...held, until: momentText(settlement.until) })).count;
    const { next } = settlement;
    if (next === null) return (await write(REMOVE, held)).count;
    const { clientId, verificationId } = next;
    const [row] = await write(REPLACE, { ...held, clientId, verificationId, ...valuesOfMails([next]) });
    return parseInteger('removed', row?.[0]);
  }

  return {
    async add(added) {
      if (added.length > 0) await write(ADD, valuesOfMails(added));
    },

    async lease({ leaseToken, now, until, limit }) {
      const rows = await write(LEASE, { leaseToken, now: momentText(now), until: momentText(until), limit });
      // Changed rows are returned in no particular order.
      return rows
        .map(mailRows.fromRow)
        .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1));
    },

    async settle({ mailId, leaseToken }, settlement) {
      if (!areIds(mailId) || !isStorable(leaseToken)) return { outcome: 'lease_lost' };
      const count = await settle({ mailId, leaseToken }, settlement);
      return { outcome: count > 0 ? 'settled' : 'lease_lost' };
    },

    async backlog({ now, limit }) {
      const [row] = await read(BACKLOG, { now: momentText(now), limit });
      return {
        waiting: parseInteger('waiting', row?.[0]),
        oldestAt: parseDateOrNull('planned_at', row?.[1] ?? null),
      };
    },

    ...createMailBudgets(session),
    ...createKeyNotices(session),
  };
}
