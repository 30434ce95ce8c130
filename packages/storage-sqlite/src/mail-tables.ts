import * as tables from '@countersign/tables';
import { index, sql } from './drizzle.ts';
import { tableOf } from './tables/dialect.ts';

/** Mails with links wait in `verifications` until a worker leases them. The table has no row ids (WITHOUT ROWID). */
export const mails = tableOf(tables.mails, 'id', (table) => [
  index('mails_due').on(table.dueAt, table.id),
  index('mails_due_fresh').on(table.dueAt, table.id).where(sql`${table.heldUntil} is null`),
]);

export const mailBudgets = tableOf(tables.mailBudgets, 'name', (table) => [
  index('mail_budgets_ends').on(table.endsAt),
]);
