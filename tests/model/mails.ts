import type { Countersign } from '@countersign/domain';
import type { MailOutcome } from '@countersign/domain/mail';
import type { Storage } from '@countersign/domain/storage';
import type { MemoryMailer } from '@countersign/memory';
import fc from 'fast-check';

/** How the mail server of a sequence responds. */
const MAIL_RESPONSES = ['accepted', 'later', 'refused', 'unavailable'] as const;
type MailResponse = (typeof MAIL_RESPONSES)[number];

export type MailCommand =
  /** Sends what is due. */
  | { readonly kind: 'mail'; readonly client: number; readonly response: MailResponse }
  /** Queues mails about keys that expire soon. */
  | { readonly kind: 'noticeKeys'; readonly client: number };

/** Runs alone: which of two calls at once leases a mail is chance. */
export const mailCommands = (clients: number): fc.Arbitrary<MailCommand> =>
  fc.oneof(
    fc.record(
      {
        kind: fc.constant('mail' as const),
        client: fc.nat(clients - 1),
        response: fc.constantFrom('accepted', 'accepted', ...MAIL_RESPONSES),
      },
      { noNullPrototype: true },
    ),
    fc.record(
      { kind: fc.constant('noticeKeys' as const), client: fc.nat(clients - 1) },
      { noNullPrototype: true },
    ),
  );

const OUTCOMES: { readonly [R in MailResponse]: MailOutcome } = {
  accepted: { outcome: 'accepted' },
  later: { outcome: 'refused', permanent: false },
  refused: { outcome: 'refused', permanent: true },
  unavailable: { outcome: 'unavailable' },
};

/** Runs a job once. A job that sends returns its result and what the mail server received. */
export async function runOnMails(
  { countersign, mailer }: { readonly countersign: Countersign; readonly mailer: MemoryMailer },
  command: MailCommand,
): Promise<unknown> {
  if (command.kind === 'noticeKeys') return countersign.mails.queueKeyNotices();
  mailer.outcome = OUTCOMES[command.response];
  const result = await countersign.mails.send();
  return { result, received: new Set(mailer.received.splice(0)) };
}

/**
 * Removes every mail and every budget: those of earlier sequences, and those of this one when its end is compared. Returns the mails and
 * the number of budgets, whose names differ between the services.
 */
export async function drainMails({
  mails,
}: Storage): Promise<{ readonly waiting: ReadonlySet<object>; readonly budgets: number }> {
  const leaseToken = 'drain';
  const now = new Date(8e14);
  const leased = await mails.lease({ leaseToken, now, until: new Date(now.getTime() + 1), limit: 10_000 });
  for (const { id } of leased) await mails.settle({ mailId: id, leaseToken }, { state: 'done', next: null });
  return { waiting: new Set(leased), budgets: await mails.deleteEndedBudgets({ now, limit: 10_000 }) };
}
