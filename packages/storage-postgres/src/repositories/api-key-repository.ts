import { type ApiKey, MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { ApiKeyRepository } from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import * as tables from '@countersign/tables';
import type { SQL, SQLWrapper } from 'drizzle-orm';
import { unavailable, violatedConstraint } from '../connection/faults.ts';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, statementOf } from '../connection/statement.ts';
import { getTableColumns, sql } from '../drizzle.ts';
import { areIds, isHash, momentText, parseInteger, parseTextOrNull } from '../rows/parse-row.ts';
import { fromApiKeyRow } from '../rows/rows.ts';
import { apiKeys, clients, subscriptions } from '../schema.ts';
import { apiKeyRows, subscriptionOf } from '../tables/rows.ts';

const OF_CLIENT = sql`${apiKeys.clientId} = ${parameter('clientId')}`;
const THE_KEY = sql`${OF_CLIENT} and ${apiKeys.id} = ${parameter('id')}`;

/** A column of the key's client. As a join, Postgres would scan the clients of a database that it never analyzed. */
const ofItsClient = (column: SQLWrapper) =>
  sql`(select ${column} from ${clients} where ${clients.id} = ${apiKeys.clientId})`;

const BY_HASH = statementOf(sql`
  select ${columnsOf(apiKeys)}, ${columnsOf(subscriptions)}, ${ofItsClient(clients.testOf)}, ${ofItsClient(clients.linkDays)}
  from ${apiKeys}
  left join ${subscriptions} on ${subscriptions.clientId} = ${apiKeys.clientId}
  where ${apiKeys.hash} = ${parameter('hash')}`);
/** Index of the subscription's first column, after the columns of the key. */
const SUBSCRIPTION = Object.keys(tables.apiKeys.columns).length;

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
      return {
        key: fromApiKeyRow(row),
        subscription: subscriptionOf(row.slice(SUBSCRIPTION)),
        testOf: parseTextOrNull('test_of', row.at(-2)),
        linkDays: row.at(-1) === null ? null : parseInteger('link_days', row.at(-1)),
      };
    },

    issue: createIssueKey(session, ISSUE, 'limit_reached'),
    issueFirst: createIssueKey(session, ISSUE_FIRST, 'key_exists'),

    async list(clientId) {
      return areIds(clientId) ? (await read(LISTED, { clientId })).map(apiKeyRows.fromRow) : [];
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

const { slot: _, ...given } = getTableColumns(apiKeys);

const GIVEN = list(Object.values(given).map(({ name }) => sql.identifier(name)));

const EXPIRED = sql`${apiKeys.expiresAt} <= ${parameter('createdAt')}`;

const ACTIVE_SLOTS = sql`
  select ${apiKeys.slot} from ${apiKeys}
  where ${apiKeys.clientId} = ${parameter('clientId')} and ${apiKeys.slot} is not null and (${EXPIRED}) is not true`;

/** Slot after the last, which a constraint refuses: the constraint enforces the rule, not the expression of the slot. */
const NO_SLOT = sql.raw(String(MAX_ACTIVE_KEYS + 1));

/** The lowest free slot; `NO_SLOT` if all are taken. */
const FREE_SLOT = sql`(
  select min(free.slot) from generate_series(1, ${NO_SLOT}) as free (slot) where free.slot not in (${ACTIVE_SLOTS})
)`;

/** The first slot; `NO_SLOT` if any is taken. Of two first keys at once, one violates the uniqueness of the slot. */
const FIRST_SLOT = sql`(case when exists (${ACTIVE_SLOTS}) then ${NO_SLOT} else 1 end)`;

/** Expired keys lose their slots, and the new key gets `slot`. It reads `released` so that slots are free before one is assigned. */
const issueInto = (slot: SQL) =>
  statementOf(sql`
  with released as (
    update ${apiKeys} set slot = null
    where ${apiKeys.clientId} = ${parameter('clientId')} and ${apiKeys.slot} is not null and ${EXPIRED}
    returning 1
  )
  insert into ${apiKeys} (${GIVEN}, slot)
  values (${list(Object.keys(given).map((key) => parameter(key)))}, ${slot} + 0 * (select count(*) from released))`);

const ISSUE = issueInto(FREE_SLOT);
const ISSUE_FIRST = issueInto(FIRST_SLOT);

/**
 * Each failed attempt means that another key got a slot, so ten attempts suffice unless keys are created and revoked
 * constantly.
 */
const ATTEMPTS = 50;

/**
 * Creates an operation that stores a key.
 * @param refused outcome if the statement assigns `NO_SLOT`
 */
function createIssueKey<Refused extends string>(
  { operation }: Session,
  statement: typeof ISSUE,
  refused: Refused,
): (key: ApiKey) => Promise<{ outcome: 'issued' | 'client_not_found' | Refused }> {
  return (key) =>
    operation(async ({ write }) => {
      if (!areIds(key.clientId)) return { outcome: 'client_not_found' };
      const values = apiKeyRows.toRow(key);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        try {
          await write(statement, values);
          return { outcome: 'issued' };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'api_keys_slot_in_range') return { outcome: refused };
          if (violated === 'api_keys_client') return { outcome: 'client_not_found' };
          if (violated !== 'api_keys_slot') throw error;
        }
      }
      throw unavailable('The keys of the client keep changing');
    });
}
