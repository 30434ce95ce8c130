import type { MailQueue } from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { parameter, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, momentText, parseText } from '../rows/parse-row.ts';
import { apiKeys } from '../schema.ts';
import { queueMails, valuesOfMails } from './queue-mails.ts';

const UNNOTICED = sql`
  ${apiKeys.revokedAt} is null and (${apiKeys.noticedDays} is null or ${apiKeys.noticedDays} > ${parameter('days')})`;

const EXPIRING = statementOf(sql`
  select ${apiKeys.clientId}, ${apiKeys.id} from ${apiKeys}
  where ${apiKeys.expiresAt} > ${parameter('now')} and ${apiKeys.expiresAt} <= ${parameter('until')} and ${UNNOTICED}
  order by ${apiKeys.expiresAt}, ${apiKeys.id} limit ${parameter('limit')}`);

const NOTE = statementOf(sql`
  with noted as (
    update ${apiKeys} set noticed_days = ${parameter('days')}
    where ${apiKeys.clientId} = ${parameter('clientId')} and ${apiKeys.id} = ${parameter('id')} and ${UNNOTICED}
    returning 1
  ), queued as (${queueMails(sql`(select 1 from noted) as changed`)})
  select count(*)::integer from noted`);

/** Creates the operations for mails about API keys that expire soon. */
export function createKeyNotices({ read, write }: Session): Pick<MailQueue, 'expiringKeys' | 'noteKeyExpiry'> {
  return {
    async expiringKeys({ now, until, days, limit }) {
      const values = { now: momentText(now), until: momentText(until), days, limit };
      return (await read(EXPIRING, values)).map(([clientId, keyId]) => ({
        clientId: parseText('client_id', clientId),
        keyId: parseText('id', keyId),
      }));
    },

    async noteKeyExpiry({ clientId, keyId, days, mails }) {
      if (!areIds(clientId, keyId)) return { outcome: 'not_due' };
      const [row] = await write(NOTE, { clientId, id: keyId, days, ...valuesOfMails(mails) });
      return { outcome: row?.[0] === 1 ? 'noted' : 'not_due' };
    },
  };
}
