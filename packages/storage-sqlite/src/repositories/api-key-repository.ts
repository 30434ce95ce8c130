import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { ApiKeyRepository } from '@countersign/domain/storage';
import { columnsOf, insertInto } from '@countersign/statements';
import * as tables from '@countersign/tables';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { apiKeyOf } from '../rows/rows.ts';
import { apiKeys, clients, subscriptions } from '../schema.ts';
import { apiKeyRows, joinedSubscriptionOf } from '../tables/rows.ts';
import { freeSlot } from './free-slot.ts';

export function createApiKeyRepository({ read, write, connection }: Session): ApiKeyRepository {
  const ofClient = sql`${apiKeys.clientId} = ${parameter('clientId')}`;
  const theKey = sql`${ofClient} and ${apiKeys.id} = ${parameter('id')}`;
  const select = (rest: SQL) =>
    compileRows<typeof apiKeys.$inferSelect>(
      connection,
      sql`select ${fieldsOf(apiKeys)} from ${apiKeys} where ${rest}`,
    );
  const update = (rest: SQL) => compile(connection, sql`update ${apiKeys} set ${rest}`);

  const byHash = compile(
    connection,
    sql`select ${columnsOf(apiKeys)}, ${columnsOf(subscriptions)}, ${clients.testOf}, ${clients.linkDays} from ${apiKeys}
      inner join ${clients} on ${clients.id} = ${apiKeys.clientId}
      left join ${subscriptions} on ${subscriptions.clientId} = ${apiKeys.clientId}
      where ${apiKeys.hash} = ${parameter('hash')}`,
  );
  const listed = select(sql`${ofClient} order by ${apiKeys.createdAt} desc, ${apiKeys.id} desc`);
  const releaseExpired = update(
    sql`slot = null where ${ofClient} and ${apiKeys.slot} is not null and ${apiKeys.expiresAt} <= ${parameter('now')}`,
  );
  const insert = compile(connection, insertInto(apiKeys, { slot: freeSlot(apiKeys, MAX_ACTIVE_KEYS) }));
  const holdsSlot = compile(
    connection,
    sql`select 1 from ${apiKeys} where ${ofClient} and ${apiKeys.slot} is not null limit 1`,
  );
  const revoke = update(
    sql`revoked_at = ${parameter('at')}, slot = null where ${theKey} and ${apiKeys.revokedAt} is null`,
  );
  const exists = compile(connection, sql`select 1 from ${apiKeys} where ${theKey}`);
  const recordUse = update(sql`last_used_at = ${parameter('at')}
    where ${theKey} and (${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} <= ${parameter('unlessSince')})`);

  return {
    resolve: (hash) =>
      read(() => {
        const columns = byHash.get({ hash });
        if (columns === undefined) return null;
        return {
          key: apiKeyOf(columns),
          subscription: joinedSubscriptionOf(columns.slice(KEY_COLUMNS)),
          testOf: columns.at(-2) as string | null,
          linkDays: columns.at(-1) as number | null,
        };
      }),

    async issue(key) {
      const row = apiKeyRows.toRow(key);
      return write<{ outcome: 'issued' | 'limit_reached' | 'client_not_found' }>(() => {
        try {
          releaseExpired.run({ clientId: key.clientId, now: row.createdAt });
          insert.run(row);
          return { keep: true, value: { outcome: 'issued' } };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'keySlot') return { keep: false, value: { outcome: 'limit_reached' } };
          if (violated === 'knownClient') return { keep: false, value: { outcome: 'client_not_found' } };
          throw error;
        }
      });
    },

    async issueFirst(key) {
      const row = apiKeyRows.toRow(key);
      const { clientId } = key;
      return write<{ outcome: 'issued' | 'key_exists' | 'client_not_found' }>(() => {
        try {
          releaseExpired.run({ clientId, now: row.createdAt });
          if (holdsSlot.get({ clientId }) !== undefined) return { keep: false, value: { outcome: 'key_exists' } };
          insert.run(row);
          return { keep: true, value: { outcome: 'issued' } };
        } catch (error) {
          if (violatedConstraint(error) !== 'knownClient') throw error;
          return { keep: false, value: { outcome: 'client_not_found' } };
        }
      });
    },

    list: (clientId) => read(() => listed.all({ clientId }).map(apiKeyRows.fromRow)),

    revoke: (clientId, id, at) =>
      write<{ outcome: 'revoked' | 'already_revoked' | 'not_found' }>(() => {
        const changes = revoke.run({ clientId, id, at: at.getTime() });
        if (changes === 1) return { keep: true, value: { outcome: 'revoked' } };
        const outcome = exists.get({ clientId, id }) === undefined ? 'not_found' : 'already_revoked';
        return { keep: false, value: { outcome } };
      }),

    recordUse: ({ clientId, keyId, at, unlessSince }) =>
      write(() => {
        recordUse.run({ clientId, id: keyId, at: at.getTime(), unlessSince: unlessSince.getTime() });
        return { keep: true, value: undefined };
      }),
  };
}

const KEY_COLUMNS = Object.keys(tables.apiKeys.columns).length;
