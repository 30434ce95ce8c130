import type { Mail, Storage } from '@countersign/domain/storage';
import { clientId, leaseToken, mailId, minute, verificationId } from './ids.ts';

/** The time at which mails of a case are leased, and the end of the lease. */
export const NOW: Date = minute(100, 3);
export const UNTIL: Date = minute(105, 3);

/** The `n`th mail, about the `n`th verification of the first client, due in minute `n`. */
export function aMail(n: number, given: Partial<Mail> = {}): Mail {
  return {
    id: mailId(n),
    kind: 'verification.link',
    clientId: clientId(1),
    verificationId: verificationId(n),
    userId: null,
    targetId: null,
    plannedAt: minute(n, 7),
    dueAt: minute(n, 7),
    attempts: 0,
    heldUntil: null,
    ...given,
  };
}

/** A mail with a value in every field that one about a verification lacks, and without those that it has. */
export function aUserMail(n: number, given: Partial<Mail> = {}): Mail {
  return aMail(n, {
    clientId: null,
    verificationId: null,
    userId: `user ${n}`,
    targetId: `target ${n}`,
    ...given,
  });
}

/** Leases up to 100 due mails with the `n`th token. */
export function leaseMails(
  { mails }: Storage,
  given: Partial<Parameters<Storage['mails']['lease']>[0]> & { n?: number } = {},
): ReturnType<Storage['mails']['lease']> {
  const { n = 1, ...request } = given;
  return mails.lease({ leaseToken: leaseToken(n), now: NOW, until: UNTIL, limit: 100, ...request });
}

/** The lease of the `n`th mail by a token. */
export const heldBy = (n: number, token = 1): Parameters<Storage['mails']['settle']>[0] => ({
  mailId: mailId(n),
  leaseToken: leaseToken(token),
});

export const DONE: Parameters<Storage['mails']['settle']>[1] = { state: 'done', next: null };

const MUCH_LATER = minute(99_999);

/** Reads every mail of known kinds, by time and id. Ends their leases. */
export function allMails(storage: Storage): ReturnType<Storage['mails']['lease']> {
  return leaseMails(storage, { n: 999, now: MUCH_LATER, until: MUCH_LATER });
}
