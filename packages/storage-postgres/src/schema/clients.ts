import { MAX_ACTIVE_KEYS, PLANS, SUBSCRIPTION_STATUSES } from '@countersign/domain';
import {
  boolean,
  check,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import { bytes, moment, oneOf } from './columns.ts';

export const clients = pgTable(
  'clients',
  {
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull(),
    sandbox: boolean('sandbox').notNull().default(false),
  },
  (table) => [primaryKey({ name: 'clients_pk', columns: [table.id] })],
);

/** One row a client, or none. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    clientId: uuid('client_id').notNull(),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    monthlyLimit: integer('monthly_limit'),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at'),
  },
  (table) => [
    primaryKey({ name: 'subscriptions_pk', columns: [table.clientId] }),
    foreignKey({ name: 'subscriptions_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check('subscriptions_known_plan', oneOf(table.plan, PLANS)),
    check('subscriptions_known_status', oneOf(table.status, SUBSCRIPTION_STATUSES)),
  ],
);

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and how many it was allowed at the last charge. */
export const usage = pgTable(
  'usage',
  {
    clientId: uuid('client_id').notNull(),
    month: text('month').notNull(),
    used: integer('used').notNull(),
    allowance: integer('allowance').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
    foreignKey({ name: 'usage_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check('usage_month_form', sql`${table.month} ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
    check('usage_within_allowance', sql`${table.used} <= ${table.allowance}`),
  ],
);

/**
 * The cap of active keys is a constraint: an active key holds one of the slots 1 to 10, each at most once a client.
 * A revoked key has none; an expired one gives its slot back when the next key is issued.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** SHA-256. */
    hash: bytes('hash').notNull(),
    display: text('display').notNull(),
    /** JSON array. */
    permissions: jsonb('permissions').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    lastUsedAt: moment('last_used_at'),
    slot: smallint('slot'),
    createdBy: text('created_by'),
  },
  (table) => [
    primaryKey({ name: 'api_keys_pk', columns: [table.clientId, table.id] }),
    foreignKey({ name: 'api_keys_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    // A request knows nothing but the hash, so it leads; with the client in it, the rule can be kept by each shard.
    uniqueIndex('api_keys_hash').on(table.hash, table.clientId),
    uniqueIndex('api_keys_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
    check('api_keys_slot_in_range', sql`${table.slot} between 1 and ${sql.raw(String(MAX_ACTIVE_KEYS))}`),
    check('api_keys_revoked_without_slot', sql`${table.revokedAt} is null or ${table.slot} is null`),
    check('api_keys_hash_length', sql`octet_length(${table.hash}) = 32`),
  ],
);
