import * as tables from '@countersign/tables';
import { check, foreignKey, integer, primaryKey, sql, sqliteTable, uniqueIndex } from './drizzle.ts';
import { clients } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const erasures = tableOf(tables.erasures, null, (table) => [
  primaryKey({ name: 'erasures_pk', columns: [table.clientId, table.number] }),
  uniqueIndex('erasures_number').on(table.number),
  check('erasures_counts', sql`min(${table.steps}, ${table.files}, ${table.events}) >= 0`),
  check('erasures_hash_length', sql`length(${table.hash}) = 64`),
]);

export const clientRetention = tableOf(tables.clientRetention, 'clientId', (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
]);

export const erasureLogs = tableOf(tables.erasureLogs, 'id');

export const retentionRuns = tableOf(tables.retentionRuns, 'id');

/** Erasures after which copies of erased values can still be in the free space of this file (file/clear-space.ts). */
export const unclearedErasures = sqliteTable('uncleared_erasures', {
  number: integer('number').notNull().primaryKey(),
  /** When the erasure began. */
  at: integer('at').notNull(),
});
