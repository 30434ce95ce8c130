import { check, index, integer, sql, sqliteTable, text } from './drizzle.ts';

/**
 * Mails that wait to be sent, except those with links that no worker has leased yet: they wait in `verifications`. Mails name what
 * they are about and hold neither address nor text. The table has no row ids (WITHOUT ROWID), and neither foreign keys nor an index by
 * verification: every change that queues a mail would pay for them. Erasures read the whole table, which is short.
 */
export const mails = sqliteTable(
  'mails',
  {
    id: text('id').notNull().primaryKey(),
    kind: text('kind').notNull(),
    clientId: text('client_id'),
    verificationId: text('verification_id'),
    userId: text('user_id'),
    targetId: text('target_id'),
    plannedAt: integer('planned_at').notNull(),
    dueAt: integer('due_at').notNull(),
    attempts: integer('attempts').notNull(),
    leaseToken: text('lease_token'),
    leasedUntil: integer('leased_until'),
    heldUntil: integer('held_until'),
  },
  (table) => [
    index('mails_due').on(table.dueAt, table.id),
    index('mails_due_fresh').on(table.dueAt, table.id).where(sql`${table.heldUntil} is null`),
  ],
);

/**
 * Number of mails to each recipient in the current windows. Names are keyed hashes and contain no address. Rows are deleted soon after their window ends.
 */
export const mailBudgets = sqliteTable(
  'mail_budgets',
  {
    name: text('name').notNull().primaryKey(),
    used: integer('used').notNull(),
    allowed: integer('allowed').notNull(),
    endsAt: integer('ends_at').notNull(),
  },
  (table) => [
    index('mail_budgets_ends').on(table.endsAt),
    check('mail_budgets_within', sql`${table.used} between 0 and ${table.allowed}`),
  ],
);
