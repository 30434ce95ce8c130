import type { Mail } from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Clock } from '../runtime.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days before a key expires on which the users who manage it receive a mail: time to plan, and the last call. The shorter first. */
const NOTICE_DAYS: readonly number[] = [1, 7];

/** A key expires soon when it has at most this many days left. */
export const KEY_EXPIRY_NOTICE_DAYS: number = Math.max(...NOTICE_DAYS);

const AT_ONCE = 100;

/**
 * Creates the background job that queues mails about keys that expire soon, and returns the number of keys. A key that is found late
 * gets the last notice only.
 *
 * Concurrency: of instances that run it at the same time, one queues the mails of a key.
 */
export function createKeyNotices({
  mails: queue,
  mailsAbout,
  clock,
}: {
  mails: Pick<MailQueue, 'expiringKeys' | 'noteKeyExpiry'>;
  mailsAbout: (key: { readonly clientId: string; readonly id: string }) => Promise<readonly Mail[]>;
  clock: Clock;
}): () => Promise<number> {
  async function noteSome(days: number, now: Date): Promise<{ noted: number; isDone: boolean }> {
    const until = new Date(now.getTime() + days * DAY_MS);
    const keys = await queue.expiringKeys({ now, until, days, limit: AT_ONCE });
    let noted = 0;
    for (const { clientId, keyId } of keys) {
      const mails = await mailsAbout({ clientId, id: keyId });
      const { outcome } = await queue.noteKeyExpiry({ clientId, keyId, days, mails });
      if (outcome === 'noted') noted += 1;
    }
    return { noted, isDone: keys.length < AT_ONCE };
  }

  return async () => {
    const now = clock.now();
    let count = 0;
    for (const days of NOTICE_DAYS) {
      for (let isDone = false; !isDone; ) {
        const some = await noteSome(days, now);
        count += some.noted;
        // What others note meanwhile is not found again; without that, this ends too.
        isDone = some.isDone || some.noted === 0;
      }
    }
    return count;
  };
}
