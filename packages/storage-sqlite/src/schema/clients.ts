import { MAX_ACTIVE_KEYS, PLANS, SUBSCRIPTION_STATUSES } from '@countersign/domain';
import { check, integer, oneOf, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../drizzle.ts';

/** Moments are milliseconds since 1970 in every table. */
export const clients = sqliteTable(
  'clients',
  {
    id: text('id').notNull().primaryKey(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** 1 or 0. */
    sandbox: integer('sandbox').notNull().default(0),
  },
  (table) => [check('clients_sandbox_yes_or_no', sql`${table.sandbox} in (0, 1)`)],
);

/** One row a client, or none. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    clientId: text('client_id')
      .notNull()
      .primaryKey()
      .references(() => clients.id),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    monthlyLimit: integer('monthly_limit'),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at'),
  },
  (table) => [
    check('subscriptions_known_plan', oneOf(table.plan, PLANS)),
    check('subscriptions_known_status', oneOf(table.status, SUBSCRIPTION_STATUSES)),
  ],
);

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and how many it was allowed at the last charge. */
export const usage = sqliteTable(
  'usage',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id),
    month: text('month').notNull(),
    used: integer('used').notNull(),
    allowance: integer('allowance').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
    check('usage_within_allowance', sql`${table.used} <= ${table.allowance}`),
  ],
);

/**
 * The cap of active keys is a constraint: an active key holds one of the slots 1 to 10, each at most once a client.
 * A revoked key has none; an expired one gives its slot back when the next key is issued.
 */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id),
    id: text('id').notNull(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    display: text('display').notNull(),
    /** JSON array. */
    permissions: text('permissions').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
    slot: integer('slot'),
    createdBy: text('created_by'),
  },
  (table) => [
    primaryKey({ name: 'api_keys_pk', columns: [table.clientId, table.id] }),
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
    check('api_keys_slot_in_range', sql`${table.slot} between 1 and ${sql.raw(String(MAX_ACTIVE_KEYS))}`),
    check('api_keys_revoked_without_slot', sql`${table.revokedAt} is null or ${table.slot} is null`),
  ],
);
