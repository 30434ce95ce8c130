import type { ExpiringKey, Mail, MailQueue } from '@countersign/domain/storage';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { apiKeys } from '../schema.ts';

/** Creates the operations for mails about API keys that expire soon. */
export function createKeyNotices(
  { connection, read, write }: Session,
  addMails: (added: readonly Mail[]) => void,
): Pick<MailQueue, 'expiringKeys' | 'noteKeyExpiry'> {
  const unnoticed = sql`${apiKeys.revokedAt} is null
    and (${apiKeys.noticedDays} is null or ${apiKeys.noticedDays} > ${parameter('days')})`;
  const expiring = compileRows<ExpiringKey>(
    connection,
    sql`select ${fieldsOf({ clientId: apiKeys.clientId, keyId: apiKeys.id })} from ${apiKeys}
      where ${apiKeys.expiresAt} > ${parameter('now')} and ${apiKeys.expiresAt} <= ${parameter('until')} and ${unnoticed}
      order by ${apiKeys.expiresAt}, ${apiKeys.id} limit ${sql.placeholder('limit')}`,
  );
  const note = compile(
    connection,
    sql`update ${apiKeys} set noticed_days = ${parameter('days')}
      where ${apiKeys.clientId} = ${parameter('clientId')} and ${apiKeys.id} = ${parameter('id')} and ${unnoticed}`,
  );

  return {
    expiringKeys: ({ now, until, days, limit }) =>
      read(() => expiring.all({ now: now.getTime(), until: until.getTime(), days, limit })),

    noteKeyExpiry: ({ clientId, keyId, days, mails }) =>
      write<{ outcome: 'noted' | 'not_due' }>(() => {
        const changes = note.run({ clientId, id: keyId, days });
        if (changes === 0) return { keep: false, value: { outcome: 'not_due' } };
        addMails(mails);
        return { keep: true, value: { outcome: 'noted' } };
      }),
  };
}
