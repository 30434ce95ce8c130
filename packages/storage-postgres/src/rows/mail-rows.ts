import { MAIL_KINDS } from '@countersign/domain/mail';
import { type Mail, parseEnum, parseRow } from '@countersign/domain/storage';
import type { Value } from '../connection/statement.ts';
import type { mails } from '../schema.ts';
import { momentText, parseDate, parseInteger, parseText, parseTextOrNull, type Row } from './parse-row.ts';

type MailColumns = { [K in keyof typeof mails.$inferSelect]: Value };

/** A mail without a lease. */
export function toMailRow({ plannedAt, dueAt, ...same }: Mail): MailColumns {
  return {
    ...same,
    plannedAt: momentText(plannedAt),
    dueAt: momentText(dueAt),
    leaseToken: null,
    leasedUntil: null,
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
  }));
}
