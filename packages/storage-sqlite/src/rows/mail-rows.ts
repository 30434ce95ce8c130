import { MAIL_KINDS } from '@countersign/domain/mail';
import { type Mail, parseEnum, parseRow, type UsedMailBudget } from '@countersign/domain/storage';
import type { mailBudgets, mails } from '../mail-tables.ts';
import { parseDate, parseDateOrNull } from './parse-row.ts';

type MailRow = typeof mails.$inferSelect;

export function toMailRow({ plannedAt, dueAt, heldUntil, ...same }: Mail): MailRow {
  return {
    ...same,
    plannedAt: plannedAt.getTime(),
    dueAt: dueAt.getTime(),
    leaseToken: null,
    leasedUntil: null,
    heldUntil: heldUntil?.getTime() ?? null,
  };
}

export function fromMailRow({ leaseToken: _, leasedUntil: __, ...row }: MailRow): Mail {
  return parseRow('mail', row.id, () => ({
    ...row,
    kind: parseEnum('kind', MAIL_KINDS, row.kind),
    plannedAt: parseDate('planned_at', row.plannedAt),
    dueAt: parseDate('due_at', row.dueAt),
    heldUntil: parseDateOrNull('held_until', row.heldUntil),
  }));
}

type MailBudgetRow = typeof mailBudgets.$inferSelect;

export function toMailBudgetRow({ endsAt, ...same }: UsedMailBudget): MailBudgetRow {
  return { ...same, endsAt: endsAt.getTime() };
}

export function fromMailBudgetRow(row: MailBudgetRow): UsedMailBudget {
  return parseRow('budget of mails', row.name, () => ({ ...row, endsAt: parseDate('ends_at', row.endsAt) }));
}
