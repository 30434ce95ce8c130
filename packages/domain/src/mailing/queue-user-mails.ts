import type { Mail, MailKind } from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Clock, Ids } from '../runtime.ts';
import type { UserMails } from '../staff/mail-recipient.ts';

/** The kinds of mail that a user receives for a change of their own account. */
export type UserMailKind = Extract<MailKind, `user.${string}`>;

/** A mail to one user about their own account. */
export type UserMail = Mail & { readonly kind: UserMailKind; readonly userId: string };

export function createUserMails(
  { mails, clock, ids }: { mails: Pick<MailQueue, 'add'>; clock: Clock; ids: Ids },
  { isOn }: { readonly isOn: boolean },
): UserMails {
  async function queue(kind: UserMailKind, userId: string): Promise<void> {
    if (!isOn) throw new Error('this service sends no mails to users');
    const now = clock.now();
    const about = { clientId: null, verificationId: null, userId, targetId: null };
    await mails.add([
      { id: ids.next(), kind, ...about, plannedAt: now, dueAt: now, attempts: 0, heldUntil: null },
    ]);
  }

  return {
    isOn,
    invitation: (userId) => queue('user.invitation', userId),
    passwordReset: (userId) => queue('user.password_reset', userId),
    secondFactorReset: (userId) => queue('user.second_factor_reset', userId),
  };
}
