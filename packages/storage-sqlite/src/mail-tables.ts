import { index, integer, sqliteTable, text } from './drizzle.ts';

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
  },
  (table) => [index('mails_due').on(table.dueAt, table.id)],
);
