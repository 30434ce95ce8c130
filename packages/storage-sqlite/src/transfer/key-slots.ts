import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { apiKeys } from '../schema/index.ts';

/**
 * Gives a slot to every key that may be active. Which of them are is not asked: no more than ten can be, and those
 * that expire last are among them. Keys that have expired give theirs back when the next one is issued.
 */
export function assignKeySlots({ db }: Pick<Session, 'db'>): void {
  db.run(sql`
    update ${apiKeys} set slot = ranked.slot
    from (
      select client_id, id, row_number() over (
        partition by client_id order by expires_at is null desc, expires_at desc, id
      ) as slot
      from ${apiKeys} where revoked_at is null
    ) as ranked
    where ranked.slot <= ${sql.raw(String(MAX_ACTIVE_KEYS))}
      and ranked.client_id = ${apiKeys.clientId} and ranked.id = ${apiKeys.id}`);
}
