import { MAIL_KINDS } from '@countersign/domain/mail';
import {
  compareText,
  type Mail,
  type MailQueue,
  returnedTo,
  takenFrom,
  type UsedMailBudget,
} from '@countersign/domain/storage';
import { createKeyNotices } from './key-notices.ts';
import { compareTime, type StoredMail, type Sync, type Tables } from './tables.ts';

/** Puts new mails into the queue. @throws Error if an id is taken */
export function putMails({ mails }: Tables, added: readonly Mail[] = []): void {
  for (const mail of added) {
    if (mails.get(mail.id) !== undefined) throw new Error(`The id ${mail.id} of a new mail is taken`);
    mails.put({ mail, lease: null });
  }
}

/** The queue of mails. Kinds that this version does not know stay in it. `backlog` reads all mails. */
export function createMails(tables: Tables): Sync<MailQueue> {
  const { mails, mailBudgets, verifications } = tables;
  const isKnown = ({ kind }: Mail): boolean => (MAIL_KINDS as readonly string[]).includes(kind);
  const isBeingErased = ({ clientId, verificationId }: Mail): boolean =>
    clientId !== null && verificationId !== null && verifications.get(clientId, verificationId)?.erasedAt !== null;
  const findBudget = (name: string): UsedMailBudget | undefined => mailBudgets.get(name);
  const putBudgets = (used: readonly UsedMailBudget[]): void => {
    for (const one of used) mailBudgets.put(one);
  };
  return {
    add: (added) => putMails(tables, added),
    lease({ leaseToken, now, until, limit }) {
      const due = (isHeld: boolean, count: number): StoredMail[] =>
        mails
          .by('due', { under: [Number(isHeld)], until: [now.getTime() + 1] })
          .filter(({ mail, lease }) => isKnown(mail) && (lease === null || lease.until <= now))
          .take(count)
          .toArray();
      const first = due(false, limit);
      const leased = [...first, ...due(true, limit - first.length)]
        .map(({ mail }) => mail)
        .sort((a, b) => compareTime(a.dueAt, b.dueAt) || compareText(a.id, b.id));
      for (const mail of leased) mails.put({ mail, lease: { token: leaseToken, until } });
      return leased;
    },
    settle({ mailId, leaseToken }, settlement) {
      const stored = mails.get(mailId);
      if (stored === undefined || stored.lease?.token !== leaseToken) return { outcome: 'lease_lost' };
      if (settlement.state === 'waiting') {
        const { dueAt, attempts } = settlement;
        mails.put({ mail: { ...stored.mail, dueAt, attempts }, lease: null });
        return { outcome: 'settled' };
      }
      if (settlement.state === 'held') {
        const { until } = settlement;
        mails.put({ mail: { ...stored.mail, dueAt: until, heldUntil: until }, lease: null });
        return { outcome: 'settled' };
      }
      const { next } = settlement;
      // The mail that follows must not have the id of this one: so it is removed afterwards.
      if (next !== null && !isBeingErased(next)) putMails(tables, [next]);
      mails.remove(mailId);
      return { outcome: 'settled' };
    },
    backlog({ now, limit }) {
      const planned = mails
        .all()
        .filter(({ mail }) => isKnown(mail))
        .map(({ mail }) => mail.heldUntil ?? mail.plannedAt)
        .filter((at) => at <= now)
        .sort(compareTime);
      return { waiting: Math.min(planned.length, limit), oldestAt: planned[0] ?? null };
    },
    takeFromBudgets({ budgets, now }) {
      const taken = takenFrom(budgets, findBudget, now);
      if (taken.outcome === 'used_up') return taken;
      putBudgets(taken.after);
      return { outcome: 'taken' };
    },
    returnToBudgets: ({ budgets, takenAt }) => putBudgets(returnedTo(budgets, findBudget, takenAt)),
    deleteEndedBudgets({ now, limit }) {
      const ended = mailBudgets
        .by('end', { until: [now.getTime() + 1] })
        .take(limit)
        .toArray();
      for (const { name } of ended) mailBudgets.remove(name);
      return ended.length;
    },
    ...createKeyNotices(tables, (added) => putMails(tables, added)),
  };
}
