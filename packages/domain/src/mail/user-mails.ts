import type { Clock, Ids } from '../runtime.ts';
import type { MailKind } from './mail.ts';
import type { MailQueue } from './mail-queue.ts';

/** The kinds of mail that a user receives for a change of their own account. */
export type UserMailKind = Extract<MailKind, `user.${string}`>;

/** Queues mails to users. */
export interface QueueUserMails {
  /** Whether this service sends mails to users. Without it, links are passed on by hand. */
  readonly isOn: boolean;
  /** Queues a mail. One to a user who does not exist is dropped when it is sent. */
  queue(kind: UserMailKind, userId: string): Promise<void>;
}

export function createQueueUserMails(
  { mails, clock, ids }: { mails: Pick<MailQueue, 'add'>; clock: Clock; ids: Ids },
  { isOn }: { readonly isOn: boolean },
): QueueUserMails {
  return {
    isOn,
    async queue(kind, userId) {
      if (!isOn) throw new Error('this service sends no mails to users');
      const now = clock.now();
      const about = { clientId: null, verificationId: null, userId, targetId: null };
      await mails.add([{ id: ids.next(), kind, ...about, plannedAt: now, dueAt: now, attempts: 0 }]);
    },
  };
}
