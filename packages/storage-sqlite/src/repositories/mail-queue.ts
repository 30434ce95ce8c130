import { MAIL_KINDS } from '@countersign/domain/mail';
import type { Mail, MailQueue } from '@countersign/domain/storage';
import { columnParameters, compile, parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, eq, inArray, isNull, lte, oneOf, or, sql } from '../drizzle.ts';
import { mails } from '../mail-tables.ts';
import { fromMailRow, toMailRow } from '../rows/mail-rows.ts';
import { createLinkMails } from './link-mails.ts';
import { createIsUnerased } from './unerased.ts';

/** Creates a function that stores mails inside a write. */
export function createAddMails({ db, connection }: Session): (added: readonly Mail[]) => void {
  const insert = compile(connection, db.insert(mails).values(columnParameters(mails)));
  return (added) => {
    for (const mail of added) insert.run(toMailRow(mail));
  };
}

const KNOWN = oneOf(mails.kind, MAIL_KINDS);

const OF_LEASE = and(eq(mails.id, parameter('mailId')), eq(mails.leaseToken, parameter('leaseToken')));

export function createMailQueue(session: Session): MailQueue {
  const { db, read, write } = session;
  const addMails = createAddMails(session);
  const linkMails = createLinkMails(session);

  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        lte(mails.dueAt, parameter('now')),
        or(isNull(mails.leasedUntil), lte(mails.leasedUntil, parameter('now'))),
        KNOWN,
      ),
    )
    .orderBy(asc(mails.dueAt), asc(mails.id))
    .limit(sql.placeholder('limit'));
  const lease = prepared(
    db
      .update(mails)
      .set({ leaseToken: parameter('leaseToken'), leasedUntil: parameter('until') })
      .where(inArray(mails.id, due))
      .returning(),
  );
  const remove = prepared(db.delete(mails).where(OF_LEASE));
  const postpone = prepared(
    db
      .update(mails)
      .set({ dueAt: parameter('dueAt'), attempts: parameter('attempts'), leaseToken: null, leasedUntil: null })
      .where(OF_LEASE),
  );
  const isUnerased = createIsUnerased(session);
  const backlog = prepared(
    db
      .select({ waiting: sql<number>`count(*)`, oldestAt: sql<number | null>`min(${mails.plannedAt})` })
      .from(mails)
      .where(and(lte(mails.plannedAt, parameter('now')), KNOWN)),
  );

  /** Whether a mail is to be stored: not once the erasure of its verification has begun. */
  function isKept(mail: Mail | null): mail is Mail {
    if (mail === null) return false;
    const { clientId, verificationId } = mail;
    return verificationId === null || (clientId !== null && isUnerased({ clientId, verificationId }));
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
        const rows = lease.all({ leaseToken, now: now.getTime(), until: until.getTime(), limit });
        // SQLite returns changed rows in no particular order.
        rows.sort((a, b) => a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1));
        return { keep: moved > 0 || rows.length > 0, value: rows.map(fromMailRow) };
      }),

    settle: (held, settlement) =>
      write<{ outcome: 'settled' | 'lease_lost' }>(() => {
        const { changes } =
          settlement.state === 'done'
            ? remove.run({ ...held })
            : postpone.run({ ...held, dueAt: settlement.dueAt.getTime(), attempts: settlement.attempts });
        if (changes === 0) return { keep: false, value: { outcome: 'lease_lost' } };
        if (settlement.state === 'done') addMails([settlement.next].filter(isKept));
        return { keep: true, value: { outcome: 'settled' } };
      }),

    backlog: ({ now, limit }) =>
      read(() => {
        const { waiting = 0, oldestAt = null } = backlog.get({ now: now.getTime() }) ?? {};
        const links = linkMails.backlog(now.getTime(), limit);
        const times = [oldestAt, links.oldestAt?.getTime() ?? null].filter((time) => time !== null);
        return {
          waiting: Math.min(waiting + links.waiting, limit),
          oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
        };
      }),
  };
}
