import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import { check, integer, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../drizzle.ts';
import { clients } from './clients.ts';

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
