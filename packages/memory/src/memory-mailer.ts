import type { MailContent, Mailer, MailOutcome } from '@countersign/domain/mail';

/** A mailer that keeps the mails it receives. */
export interface MemoryMailer extends Mailer {
  /** What it received, oldest first, whatever it answered. */
  readonly received: MailContent[];
  /** What it answers from now on. Default: accepted. */
  outcome: MailOutcome;
}

/**
 * Creates a mailer that sends nothing, for tests and trials.
 *
 * @example
 * const mailer = createMemoryMailer();
 * mailer.outcome = { outcome: 'refused', permanent: false };
 */
export function createMemoryMailer(): MemoryMailer {
  const mailer: MemoryMailer = {
    received: [],
    outcome: { outcome: 'accepted' },
    async send(content) {
      mailer.received.push(content);
      return mailer.outcome;
    },
  };
  return mailer;
}
