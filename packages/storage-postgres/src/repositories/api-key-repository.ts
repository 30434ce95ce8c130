import type { ApiKeyRepository } from '@countersign/domain';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { fromApiKeyRow } from '../rows/api-key-row.ts';
import { fromSubscriptionRow } from '../rows/client-row.ts';
import { areIds, isHash, momentText } from '../rows/values.ts';
import { apiKeys, subscriptions } from '../schema/index.ts';
import { createIssueKey } from './issue-key.ts';

const OF_CLIENT = sql`${apiKeys.clientId} = ${parameter('clientId')}`;
const THE_KEY = sql`${OF_CLIENT} and ${apiKeys.id} = ${parameter('id')}`;

const BY_HASH = statementOf(sql`
  select ${columnsOf(apiKeys)}, ${columnsOf(subscriptions)} from ${apiKeys}
  left join ${subscriptions} on ${subscriptions.clientId} = ${apiKeys.clientId}
  where ${apiKeys.hash} = ${parameter('hash')}`);
/** Where the subscription begins: after the twelve columns of the key. */
const SUBSCRIPTION = 12;

const LISTED = statementOf(sql`
  select ${columnsOf(apiKeys)} from ${apiKeys} where ${OF_CLIENT}
  order by ${apiKeys.createdAt} desc, ${apiKeys.id} desc`);

const REVOKE = statementOf(sql`
  with revoked as (
    update ${apiKeys} set revoked_at = ${parameter('at')}, slot = null
    where ${THE_KEY} and ${apiKeys.revokedAt} is null
    returning 1
  )
  select (select count(*) from revoked)::integer, (select count(*) from ${apiKeys} where ${THE_KEY})::integer`);

const RECORD_USE = statementOf(sql`
  update ${apiKeys} set last_used_at = ${parameter('at')}
  where ${THE_KEY} and (${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} <= ${parameter('unlessSince')})`);

export function createApiKeyRepository(session: Session): ApiKeyRepository {
  const { read, lookUp, write } = session;
  return {
    async resolve(hash) {
      if (!isHash(hash)) return null;
      const [row] = await lookUp(BY_HASH, { hash: `\\x${hash}` });
      if (row === undefined) return null;
      return { key: fromApiKeyRow(row), subscription: fromSubscriptionRow(row, SUBSCRIPTION) };
    },

    issue: createIssueKey(session),

    async list(clientId) {
      return areIds(clientId) ? (await read(LISTED, { clientId })).map(fromApiKeyRow) : [];
    },

    async revoke(clientId, id, at) {
      if (!areIds(clientId, id)) return { outcome: 'not_found' };
      const [row] = await write(REVOKE, { clientId, id, at: momentText(at) });
      if (row?.[0] === 1) return { outcome: 'revoked' };
      return { outcome: row?.[1] === 1 ? 'already_revoked' : 'not_found' };
    },

    async recordUse({ clientId, keyId, at, unlessSince }) {
      if (!areIds(clientId, keyId)) return;
      const values = { clientId, id: keyId, at: momentText(at), unlessSince: momentText(unlessSince) };
      await write(RECORD_USE, values);
    },
  };
}
