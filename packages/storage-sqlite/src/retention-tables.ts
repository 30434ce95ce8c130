import { ERASURE_RULES } from '@countersign/domain/retention';
import { check, integer, oneOf, primaryKey, sql, sqliteTable, text, uniqueIndex } from './drizzle.ts';
import { clients } from './schema.ts';

/**
 * Receipts of erasures. They have no foreign keys: an entry of the erasure log may name a verification that a restored backup
 * does not have.
 */
export const erasures = sqliteTable(
  'erasures',
  {
    clientId: text('client_id').notNull(),
    number: integer('number').notNull(),
    verificationId: text('verification_id').notNull(),
    at: integer('at').notNull(),
    rule: text('rule').notNull(),
    steps: integer('steps').notNull(),
    files: integer('files').notNull(),
    events: integer('events').notNull(),
    /** SHA-256 in hexadecimal. */
    hash: text('hash').notNull(),
    finishedAt: integer('finished_at'),
  },
  (table) => [
    primaryKey({ name: 'erasures_pk', columns: [table.clientId, table.number] }),
    uniqueIndex('erasures_number').on(table.number),
    check('erasures_number_from_one', sql`${table.number} >= 1`),
    check('erasures_known_rule', oneOf(table.rule, ERASURE_RULES)),
    check('erasures_counts', sql`min(${table.steps}, ${table.files}, ${table.events}) >= 0`),
    check('erasures_hash_length', sql`length(${table.hash}) = 64`),
  ],
);

/** The policy of a client and how far its verifications were planned. A client without a row has neither. */
export const clientRetention = sqliteTable('client_retention', {
  clientId: text('client_id')
    .notNull()
    .primaryKey()
    .references(() => clients.id),
  /** JSON object. */
  policy: text('policy'),
  plannedBy: text('planned_by'),
  plannedAfter: text('planned_after'),
});

/** The erasure log of this database: one row, or none before the first start. */
export const erasureLogs = sqliteTable(
  'erasure_logs',
  {
    id: integer('id').notNull().primaryKey(),
    logId: text('log_id').notNull(),
  },
  (table) => [check('erasure_logs_one_row', sql`${table.id} = 1`)],
);

/** The last run of the retention job: one row, or none before the first. */
export const retentionRuns = sqliteTable(
  'retention_runs',
  {
    id: integer('id').notNull().primaryKey(),
    lastRunAt: integer('last_run_at').notNull(),
    pausedUntil: integer('paused_until'),
  },
  (table) => [check('retention_runs_one_row', sql`${table.id} = 1`)],
);

/** Erasures after which copies of erased values can still be in the free space of this file (file/clear-space.ts). */
export const unclearedErasures = sqliteTable('uncleared_erasures', {
  number: integer('number').notNull().primaryKey(),
  /** When the erasure began. */
  at: integer('at').notNull(),
});
