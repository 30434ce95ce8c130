import { MAIL_KINDS } from '@countersign/domain/mail';
import type { Mail, MailLease, MailQueue, MailSettlement } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { mails } from '../mail-tables.ts';
import { mailRows } from '../tables/rows.ts';
import { createHoldsData } from './holds-data.ts';
import { createKeyNotices } from './key-notices.ts';
import { createLinkMails } from './link-mails.ts';
import { createMailBudgets } from './mail-budgets.ts';

/** Creates a function that stores mails inside a write. */
export function createAddMails({ connection }: Session): (added: readonly Mail[]) => void {
  const insert = compile(connection, insertInto(mails));
  return (added) => {
    for (const mail of added) insert.run(mailRows.toRow(mail));
  };
}

const KNOWN = oneOf(mails.kind, MAIL_KINDS);

/** Since when a mail should have been sent. */
const SENDABLE_AT = sql`coalesce(${mails.heldUntil}, ${mails.plannedAt})`;

const OF_LEASE = sql`${mails.id} = ${parameter('mailId')} and ${mails.leaseToken} = ${parameter('leaseToken')}`;

export function createMailQueue(session: Session): MailQueue {
  const { connection, read, write } = session;
  const addMails = createAddMails(session);
  const linkMails = createLinkMails(session);

  const leaseOf = (wereHeld: SQL) =>
    compileRows<typeof mails.$inferSelect>(
      connection,
      sql`update ${mails} set lease_token = ${parameter('leaseToken')}, leased_until = ${parameter('until')}
        where ${mails.id} in (
          select ${mails.id} from ${mails} where ${mails.dueAt} <= ${parameter('now')} and ${wereHeld}
            and (${mails.leasedUntil} is null or ${mails.leasedUntil} <= ${parameter('now')}) and ${KNOWN}
          order by ${mails.dueAt}, ${mails.id} limit ${sql.placeholder('limit')})
        returning ${fieldsOf(mails)}`,
    );
  const leaseFresh = leaseOf(sql`${mails.heldUntil} is null`);
  const leaseHeld = leaseOf(sql`${mails.heldUntil} is not null`);
  const remove = compile(connection, sql`delete from ${mails} where ${OF_LEASE}`);
  const endLease = (columns: SQL) =>
    compile(
      connection,
      sql`update ${mails} set ${columns}, lease_token = null, leased_until = null where ${OF_LEASE}`,
    );
  const postpone = endLease(sql`due_at = ${parameter('dueAt')}, attempts = ${parameter('attempts')}`);
  const hold = endLease(sql`due_at = ${parameter('until')}, held_until = ${parameter('until')}`);
  const holdsData = createHoldsData(session);
  const backlog = compile(
    connection,
    sql`select count(*), min(${SENDABLE_AT}) from ${mails} where ${SENDABLE_AT} <= ${parameter('now')} and ${KNOWN}`,
  );

  function change(held: MailLease, settlement: MailSettlement): number {
    switch (settlement.state) {
      case 'done':
        return remove.run({ ...held });
      case 'waiting':
        return postpone.run({ ...held, dueAt: settlement.dueAt.getTime(), attempts: settlement.attempts });
      case 'held':
        return hold.run({ ...held, until: settlement.until.getTime() });
      default:
        return settlement satisfies never;
    }
  }

  /** Whether a mail is to be stored: not once the erasure of its verification has begun. */
  function isKept(mail: Mail | null): mail is Mail {
    if (mail === null) return false;
    const { clientId, verificationId } = mail;
    return verificationId === null || (clientId !== null && holdsData({ clientId, verificationId }));
  }

  return {
    add: (added) =>
      write(() => {
        addMails(added);
        return { keep: added.length > 0, value: undefined };
      }),

    lease: ({ leaseToken, now, until, limit }) =>
      write(() => {
        const moved = linkMails.moveDue(now.getTime(), limit);
        const leased = { leaseToken, now: now.getTime(), until: until.getTime() };
        const rows = leaseFresh.all({ ...leased, limit });
        // However many were held back until the same time, they hold up no others.
        if (rows.length < limit) rows.push(...leaseHeld.all({ ...leased, limit: limit - rows.length }));
        // SQLite returns changed rows in no particular order.
        rows.sort((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1));
        return { keep: moved > 0 || rows.length > 0, value: rows.map(mailRows.fromRow) };
      }),

    settle: (held, settlement) =>
      write<{ outcome: 'settled' | 'lease_lost' }>(() => {
        const changes = change(held, settlement);
        if (changes === 0) return { keep: false, value: { outcome: 'lease_lost' } };
        if (settlement.state === 'done') addMails([settlement.next].filter(isKept));
        return { keep: true, value: { outcome: 'settled' } };
      }),

    backlog: ({ now, limit }) =>
      read(() => {
        const [waiting, oldestAt] = backlog.get({ now: now.getTime() }) as [number, number | null];
        const links = linkMails.backlog(now.getTime(), limit);
        const times = [oldestAt, links.oldestAt?.getTime() ?? null].filter((time) => time !== null);
        return {
          waiting: Math.min(waiting + links.waiting, limit),
          oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
        };
      }),

    ...createMailBudgets(session),
    ...createKeyNotices(session, addMails),
  };
}
