import { MAIL_KINDS } from '@countersign/domain/mail';
import { type Mail, parseEnum, parseRow } from '@countersign/domain/storage';
import type { mails } from '../mail-tables.ts';
import { parseDate } from './parse-row.ts';

type MailRow = typeof mails.$inferSelect;

export function toMailRow({ plannedAt, dueAt, ...same }: Mail): MailRow {
  return {
    ...same,
    plannedAt: plannedAt.getTime(),
    dueAt: dueAt.getTime(),
    leaseToken: null,
    leasedUntil: null,
  };
}

export function fromMailRow({ leaseToken: _, leasedUntil: __, ...row }: MailRow): Mail {
  return parseRow('mail', row.id, () => ({
    ...row,
    kind: parseEnum('kind', MAIL_KINDS, row.kind),
    plannedAt: parseDate('planned_at', row.plannedAt),
    dueAt: parseDate('due_at', row.dueAt),
  }));
}
