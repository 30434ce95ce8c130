import { MAIL_KINDS } from '@countersign/domain/mail';
import type { Mail, UsedMailBudget } from '@countersign/domain/storage';
import { table } from '../table.ts';

/** As the type of the entry, which other packages can name. */
const KINDS: readonly Mail['kind'][] = MAIL_KINDS;

/**
 * Mails that wait to be sent. They name what they are about and hold neither address nor text. The table has neither foreign keys nor an
 * index by verification: every creation with an e-mail address would pay for them. Erasures read the whole table, which is short.
 */
export const mails = table<Mail>()({
  name: 'mails',
  called: 'mail',
  key: ['id'],
  columns: {
    id: { kind: 'id' },
    kind: { kind: 'choice', of: KINDS },
    clientId: { kind: 'id', nullable: true },
    verificationId: { kind: 'id', nullable: true },
    userId: { kind: 'text', nullable: true },
    targetId: { kind: 'text', nullable: true },
    plannedAt: { kind: 'moment' },
    dueAt: { kind: 'moment' },
    attempts: { kind: 'integer' },
    leaseToken: { kind: 'text', nullable: true, value: null },
    leasedUntil: { kind: 'moment', nullable: true, value: null },
    heldUntil: { kind: 'moment', nullable: true },
  },
});

/**
 * Number of mails to each recipient in the current windows. Names are keyed hashes and contain no address. Rows are deleted soon after
 * their window ends.
 */
export const mailBudgets = table<UsedMailBudget>()({
  name: 'mail_budgets',
  called: 'budget of mails',
  key: ['name'],
  columns: {
    name: { kind: 'text' },
    used: { kind: 'integer' },
    allowed: { kind: 'integer' },
    endsAt: { kind: 'moment' },
  },
  checks: { mail_budgets_within: '{used} between 0 and {allowed}' },
});
