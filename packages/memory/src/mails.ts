import { MAIL_KINDS } from '@countersign/domain/mail';
import { compareText, type Mail, type MailQueue } from '@countersign/domain/storage';
import { createMailBudgets } from './mail-budgets.ts';
import { keyOf, type StoredMail, type Tables } from './tables.ts';

/** Creates the queue of mails of the storage in memory. Each operation runs without interruption. */
export function createMails(tables: Tables): MailQueue {
  const { mails, verifications } = tables;
  const known = (): StoredMail[] =>
    [...mails.values()].filter(({ mail }) => (MAIL_KINDS as readonly string[]).includes(mail.kind));

  const isBeingErased = ({ clientId, verificationId }: Mail): boolean =>
    clientId !== null &&
    verificationId !== null &&
    verifications.get(keyOf(clientId, verificationId))?.erasedAt !== null;

  return {
    async add(added) {
      requireNewMails(mails, added);
      putMails(mails, added);
    },

    async lease({ leaseToken, now, until, limit }) {
      const due = known().filter(
        ({ mail, lease }) => mail.dueAt <= now && (lease === null || lease.until <= now.getTime()),
      );
      const sorted = due.sort((a, b) => longestDueFirst(a.mail, b.mail));
      const isHeld = ({ mail }: StoredMail): boolean => mail.heldUntil !== null;
      const chosen = [...sorted.filter((stored) => !isHeld(stored)), ...sorted.filter(isHeld)].slice(0, limit);
      const leased = sorted.filter((stored) => chosen.includes(stored));
      for (const stored of leased) stored.lease = { token: leaseToken, until: until.getTime() };
      return structuredClone(leased.map(({ mail }) => mail));
    },

    async settle({ mailId, leaseToken }, settlement) {
      const stored = mails.get(mailId);
      if (stored === undefined || stored.lease?.token !== leaseToken) return { outcome: 'lease_lost' };
      if (settlement.state !== 'done') {
        const changed =
          settlement.state === 'held'
            ? { dueAt: settlement.until, heldUntil: settlement.until }
            : { dueAt: settlement.dueAt, attempts: settlement.attempts };
        mails.set(mailId, { mail: structuredClone({ ...stored.mail, ...changed }), lease: null });
        return { outcome: 'settled' };
      }
      const next = settlement.next === null || isBeingErased(settlement.next) ? [] : [settlement.next];
      requireNewMails(mails, next);
      mails.delete(mailId);
      putMails(mails, next);
      return { outcome: 'settled' };
    },

    async backlog({ now, limit }) {
      const planned = known()
        .map(({ mail }) => (mail.heldUntil ?? mail.plannedAt).getTime())
        .filter((time) => time <= now.getTime());
      return {
        waiting: Math.min(planned.length, limit),
        oldestAt: planned.length === 0 ? null : new Date(Math.min(...planned)),
      };
    },

    ...createMailBudgets(tables),
  };
}

/** Requires that no mail with one of the ids exists. @throws Error */
export function requireNewMails(stored: Tables['mails'], mails: readonly Mail[]): void {
  const ids = mails.map(({ id }) => id);
  const taken = ids.find((id, index) => stored.has(id) || ids.indexOf(id) !== index);
  if (taken !== undefined) throw new Error(`the id ${taken} of a new mail is taken`);
}

export function putMails(stored: Tables['mails'], mails: readonly Mail[]): void {
  for (const mail of structuredClone(mails)) stored.set(mail.id, { mail, lease: null });
}

function longestDueFirst(a: Mail, b: Mail): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || compareText(a.id, b.id);
}
