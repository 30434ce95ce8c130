import type { MailContent } from '@countersign/domain/mail';
import type { Mail } from '@countersign/domain/storage';
import type { MemoryMailer } from '@countersign/memory';
import type { Service } from './service.ts';

/** The backlog of a queue without mails that are due. */
export const NO_BACKLOG = { waiting: 0, oldestAt: null };

/** Sends the mails that are due by all the instances at the same time, and returns those that the mailer received. */
export async function sendDue(
  mailer: MemoryMailer,
  ...instances: readonly Pick<Service, 'countersign'>[]
): Promise<readonly MailContent[]> {
  mailer.received.length = 0;
  const send = () => Promise.all(instances.map(({ countersign }) => countersign.mails.send()));
  while ((await send()).some(({ isDone }) => !isDone));
  return [...mailer.received];
}

/** Leases the mails that are due, and returns their rows. */
export async function queuedMails({
  storage,
  clock,
}: Pick<Service, 'storage' | 'clock'>): Promise<readonly Mail[]> {
  const now = clock.now();
  return await storage.mails.lease({ leaseToken: 'test', now, until: now, limit: 10 });
}

/** Returns the kind of each mail. */
export function kindsOf(mails: readonly MailContent[]): string[] {
  return mails.map(({ kind }) => kind);
}
