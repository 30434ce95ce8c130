import { MAIL_KINDS } from '@countersign/domain/mail';
import type { Mail, MailLease, MailQueue, MailSettlement } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { columnParameters, compile, parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lte, oneOf, or, sql } from '../drizzle.ts';
import { mails } from '../mail-tables.ts';
import { fromMailRow, toMailRow } from '../rows/mail-rows.ts';
import { createHoldsData } from './holds-data.ts';
import { createLinkMails } from './link-mails.ts';
import { createMailBudgets } from './mail-budgets.ts';

/** Creates a function that stores mails inside a write. */
export function createAddMails({ db, connection }: Session): (added: readonly Mail[]) => void {
  const insert = compile(connection, db.insert(mails).values(columnParameters(mails)));
  return (added) => {
    for (const mail of added) insert.run(toMailRow(mail));
  };
}

const KNOWN = oneOf(mails.kind, MAIL_KINDS);

/** Since when a mail should have been sent. */
const SENDABLE_AT = sql<number>`coalesce(${mails.heldUntil}, ${mails.plannedAt})`;

const OF_LEASE = and(eq(mails.id, parameter('mailId')), eq(mails.leaseToken, parameter('leaseToken')));

export function createMailQueue(session: Session): MailQueue {
  const { db, read, write } = session;
  const addMails = createAddMails(session);
  const linkMails = createLinkMails(session);

  const leaseOf = (wereHeld: SQL) => {
    const due = db
      .select({ id: mails.id })
      .from(mails)
      .where(
        and(
          lte(mails.dueAt, parameter('now')),
          wereHeld,
          or(isNull(mails.leasedUntil), lte(mails.leasedUntil, parameter('now'))),
          KNOWN,
        ),
      )
      .orderBy(asc(mails.dueAt), asc(mails.id))
      .limit(sql.placeholder('limit'));
    return prepared(
      db
        .update(mails)
        .set({ leaseToken: parameter('leaseToken'), leasedUntil: parameter('until') })
        .where(inArray(mails.id, due))
        .returning(),
    );
  };
  const leaseFresh = leaseOf(isNull(mails.heldUntil));
  const leaseHeld = leaseOf(isNotNull(mails.heldUntil));
  const remove = prepared(db.delete(mails).where(OF_LEASE));
  const postpone = prepared(
    db
      .update(mails)
      .set({ dueAt: parameter('dueAt'), attempts: parameter('attempts'), leaseToken: null, leasedUntil: null })
      .where(OF_LEASE),
  );
  const hold = prepared(
    db
      .update(mails)
      .set({ dueAt: parameter('until'), heldUntil: parameter('until'), leaseToken: null, leasedUntil: null })
      .where(OF_LEASE),
  );
  const holdsData = createHoldsData(session);
  const backlog = prepared(
    db
      .select({ waiting: sql<number>`count(*)`, oldestAt: sql<number | null>`min(${SENDABLE_AT})` })
      .from(mails)
      .where(and(lte(SENDABLE_AT, parameter('now')), KNOWN)),
  );

  function change(held: MailLease, settlement: MailSettlement): { readonly changes: number } {
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
        return { keep: moved > 0 || rows.length > 0, value: rows.map(fromMailRow) };
      }),

    settle: (held, settlement) =>
      write<{ outcome: 'settled' | 'lease_lost' }>(() => {
        const { changes } = change(held, settlement);
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

    ...createMailBudgets(session),
  };
}
