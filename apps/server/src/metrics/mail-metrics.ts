import { MAIL_FAILURES, type MailAttempt } from '@countersign/mail';
import { Counter, type Registry } from 'prom-client';
import { addBacklogGauges, type BacklogSource } from './backlog-metrics.ts';

export interface MailMetrics {
  /** Counts an attempt by its result. */
  attempt(result: MailAttempt['result']): void;
  /** Counts mails that are held back because their recipient has reached a limit. */
  held(count: number): void;
}

/** Creates the metrics of mails. */
export function createMailMetrics(registry: Registry, source: BacklogSource): MailMetrics {
  const results: readonly MailAttempt['result'][] = ['accepted', ...MAIL_FAILURES];
  const attempts = new Counter({
    name: 'countersign_mail_attempts_total',
    help: `Attempts to send a mail, by result (${results.join(', ')})`,
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of results) attempts.inc({ result }, 0);

  const held = new Counter({
    name: 'countersign_mail_held_total',
    help: 'Times that a mail was held back because its recipient had reached a limit',
    registers: [registry],
  });

  addBacklogGauges(
    registry,
    {
      name: 'countersign_mail',
      help: 'Mails that should have been sent and that no server has accepted yet',
      oldestHelp: 'Time since the oldest of them became due; 0 without one',
    },
    source,
  );
  return { attempt: (result) => attempts.inc({ result }), held: (count) => held.inc(count) };
}
