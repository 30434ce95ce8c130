import type { Mail, MailQueue, VerificationRecord } from '@countersign/domain/storage';
import { compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { mails } from '../mail-tables.ts';
import { verifications } from '../schema.ts';

type LinkMail = Pick<typeof verifications.$inferSelect, 'linkMailId' | 'linkMailAt'>;

/**
 * Divides the mails of a creation: the one with the link waits in two columns of the verification, the others in `mails`. A row of
 * `mails` and its index entry are two pages that a lone creation would write; the index of the columns is one.
 */
export function divideMails(
  { clientId, id }: Pick<VerificationRecord, 'clientId' | 'id'>,
  queued: readonly Mail[],
): { readonly columns: Partial<LinkMail>; readonly others: readonly Mail[] } {
  const own = queued.find(
    (mail) =>
      mail.kind === 'verification.link' &&
      mail.clientId === clientId &&
      mail.verificationId === id &&
      mail.userId === null &&
      mail.targetId === null &&
      mail.attempts === 0 &&
      mail.heldUntil === null &&
      mail.plannedAt.getTime() === mail.dueAt.getTime(),
  );
  if (own === undefined) return { columns: {}, others: queued };
  return {
    columns: { linkMailId: own.id, linkMailAt: own.dueAt.getTime() },
    others: queued.filter((mail) => mail !== own),
  };
}

const { id, linkMailId, linkMailAt } = verifications;
const IS_DUE = sql`${linkMailId} is not null and ${linkMailAt} <= ${parameter('now')}`;

/** Mails with links that wait in their verifications. All run inside the caller's transaction. */
export interface LinkMails {
  /** Moves up to `limit` of those that are due to `mails`: those that have been due longest first, then by id. Returns their number. */
  moveDue(now: number, limit: number): number;
  /** Counts those that are due, up to `limit`, and finds the earliest time. */
  backlog(now: number, limit: number): Awaited<ReturnType<MailQueue['backlog']>>;
}

export function createLinkMails({ connection }: Session): LinkMails {
  const due = compile(
    connection,
    sql`select ${id} from ${verifications} where ${IS_DUE}
      order by ${linkMailAt}, ${linkMailId} limit ${sql.placeholder('limit')}`,
  );
  const ofVerification = sql`${id} = ${parameter('id')}`;
  // A mail that has the id already has the same `Message-ID`.
  const copy = compile(
    connection,
    sql`insert into ${mails} (id, kind, client_id, verification_id, planned_at, due_at, attempts)
      select link_mail_id, 'verification.link', client_id, id, link_mail_at, link_mail_at, 0
      from ${verifications} where ${ofVerification} on conflict do nothing`,
  );
  const clear = compile(
    connection,
    sql`update ${verifications} set link_mail_id = null, link_mail_at = null where ${ofVerification}`,
  );
  const waiting = compile(
    connection,
    sql`select count(*), min(${linkMailAt}) from ${verifications} where ${IS_DUE}`,
  );

  return {
    moveDue(now, limit) {
      const found = due.all({ now, limit });
      for (const [id] of found) {
        copy.run({ id });
        clear.run({ id });
      }
      return found.length;
    },
    backlog(now, limit) {
      const [count, oldestAt] = waiting.get({ now }) as [number, number | null];
      return { waiting: Math.min(count, limit), oldestAt: oldestAt === null ? null : new Date(oldestAt) };
    },
  };
}
