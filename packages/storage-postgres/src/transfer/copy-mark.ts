import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import { type Statement, statementOf } from '../connection/statement.ts';
import { MIGRATIONS_TABLE, UNFINISHED_COPY } from '../database/migrations.ts';
import { sql } from '../drizzle.ts';
import {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
} from '../schema/index.ts';

const MIGRATIONS = sql.identifier(MIGRATIONS_TABLE);
const MARK = sql.raw(String(UNFINISHED_COPY));

/** From here on the database is neither served nor opened, except to go on with the copy. */
export const BEGIN: Statement = statementOf(sql`
  insert into ${MIGRATIONS} (created_at, name, hash) values (${MARK}, 'unfinished copy', '') on conflict do nothing`);

/**
 * Gives a slot to every key that may be active, and takes the mark away. Which keys are active is not asked: no more
 * than ten can be, and those that expire last are among them. Keys that have expired give theirs back when the next one
 * is issued.
 */
export const FINISH: Statement = statementOf(sql`
  with finished as (
    delete from ${MIGRATIONS} where created_at = ${MARK} returning 1
  )
  update ${apiKeys} set slot = ranked.slot
  from (
    select client_id, id, row_number() over (
      partition by client_id order by expires_at desc nulls first, id
    ) as slot
    from ${apiKeys} where revoked_at is null
  ) as ranked
  where ranked.slot <= ${sql.raw(String(MAX_ACTIVE_KEYS))} and exists (select 1 from finished)
    and ranked.client_id = ${apiKeys.clientId} and ranked.id = ${apiKeys.id}`);

/** Statements are planned by what stands in the tables, and Postgres looks for itself only a minute later. */
export const ANALYZE: Statement = statementOf(
  sql`analyze ${clients}, ${subscriptions}, ${usage}, ${apiKeys}, ${verifications}, ${verificationEvents}, ${auditEntries}`,
);
