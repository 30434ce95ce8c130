import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import {
  check,
  foreignKey,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import { clients } from './clients.ts';
import { bytes, moment } from './columns.ts';

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
