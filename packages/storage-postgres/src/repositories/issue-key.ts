import { type ApiKeyRepository, MAX_ACTIVE_KEYS } from '@countersign/domain';
import { unavailable, violatedConstraint } from '../connection/faults.ts';
import type { Session } from '../connection/session.ts';
import { parameter, statementOf } from '../connection/statement.ts';
import { getTableColumns, sql } from '../drizzle.ts';
import { toApiKeyRow } from '../rows/api-key-row.ts';
import { areIds } from '../rows/values.ts';
import { apiKeys } from '../schema/index.ts';

const { slot: _, ...given } = getTableColumns(apiKeys);

const GIVEN = sql.join(
  Object.values(given).map(({ name }) => sql.identifier(name)),
  sql`, `,
);

const EXPIRED = sql`${apiKeys.expiresAt} <= ${parameter('createdAt')}`;

/**
 * Expired keys lose their slots, and the new one takes the lowest that is free. Where all are taken that is the one
 * after the last, which the table refuses: the cap is the constraint's, not this expression's. It reads `released` so
 * that the slots are free before one of them is taken.
 */
const ISSUE = statementOf(sql`
  with released as (
    update ${apiKeys} set slot = null
    where ${apiKeys.clientId} = ${parameter('clientId')} and ${apiKeys.slot} is not null and ${EXPIRED}
    returning 1
  )
  insert into ${apiKeys} (${GIVEN}, slot)
  values (${sql.join(
    Object.keys(given).map((key) => parameter(key)),
    sql`, `,
  )}, (
    select min(free.slot) + 0 * (select count(*) from released)
    from generate_series(1, ${sql.raw(String(MAX_ACTIVE_KEYS + 1))}) as free (slot)
    where free.slot not in (
      select ${apiKeys.slot} from ${apiKeys}
      where ${apiKeys.clientId} = ${parameter('clientId')} and ${apiKeys.slot} is not null
        and (${EXPIRED}) is not true
    )
  ))`);

/** Each attempt that fails leaves a slot to another key, so ten are enough unless keys come and go all the time. */
const ATTEMPTS = 50;

export function createIssueKey({ operation }: Session): ApiKeyRepository['issue'] {
  return (key) =>
    operation(async ({ write }) => {
      if (!areIds(key.clientId)) return { outcome: 'client_not_found' };
      const values = toApiKeyRow(key);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        try {
          await write(ISSUE, values);
          return { outcome: 'issued' };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'api_keys_slot_in_range') return { outcome: 'limit_reached' };
          if (violated === 'api_keys_client') return { outcome: 'client_not_found' };
          if (violated !== 'api_keys_slot') throw error;
        }
      }
      throw unavailable('The keys of the client keep changing');
    });
}
