import { MAIL_KINDS } from '@countersign/domain/mail';
import { type Mail, parseEnum, parseRow, type UsedMailBudget } from '@countersign/domain/storage';
import type { Value } from '../connection/statement.ts';
import type { mailBudgets, mails } from '../schema.ts';
import {
  momentText,
  momentTextOrNull,
  parseDate,
  parseDateOrNull,
  parseInteger,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';

type MailColumns = { [K in keyof typeof mails.$inferSelect]: Value };

/** A mail without a lease. */
export function toMailRow({ plannedAt, dueAt, heldUntil, ...same }: Mail): MailColumns {
  return {
    ...same,
    plannedAt: momentText(plannedAt),
    dueAt: momentText(dueAt),
    leaseToken: null,
    leasedUntil: null,
    heldUntil: momentTextOrNull(heldUntil),
  };
}

/** Columns in the order of the schema. */
export function fromMailRow(row: Row): Mail {
  return parseRow('mail', row[0], () => ({
    id: parseText('id', row[0]),
    kind: parseEnum('kind', MAIL_KINDS, row[1]),
    clientId: parseTextOrNull('client_id', row[2]),
    verificationId: parseTextOrNull('verification_id', row[3]),
    userId: parseTextOrNull('user_id', row[4]),
    targetId: parseTextOrNull('target_id', row[5]),
    plannedAt: parseDate('planned_at', row[6]),
    dueAt: parseDate('due_at', row[7]),
    attempts: parseInteger('attempts', row[8]),
    // Between them are the columns of the lease.
    heldUntil: parseDateOrNull('held_until', row[11]),
  }));
}

type MailBudgetColumns = { [K in keyof typeof mailBudgets.$inferSelect]: Value };

export function toMailBudgetRow({ endsAt, ...same }: UsedMailBudget): MailBudgetColumns {
  return { ...same, endsAt: momentText(endsAt) };
}

/** Columns in the order of the schema. */
export function fromMailBudgetRow(row: Row): UsedMailBudget {
  return parseRow('budget of mails', row[0], () => ({
    name: parseText('name', row[0]),
    used: parseInteger('used', row[1]),
    allowed: parseInteger('allowed', row[2]),
    endsAt: parseDate('ends_at', row[3]),
  }));
}
