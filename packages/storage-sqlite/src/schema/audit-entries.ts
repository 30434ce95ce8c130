import { AUDIT_OUTCOMES, type AuditActor } from '@countersign/domain';
import { check, index, integer, oneOf, sql, sqliteTable, text, uniqueIndex } from '../drizzle.ts';

export const AUDIT_ACTOR_KINDS = Object.keys({
  client: true,
  reviewer: true,
  operator: true,
  nobody: true,
} satisfies Record<AuditActor['kind'], true>) as AuditActor['kind'][];

/**
 * What triggers of the initial migration ensure, whoever writes: a line follows the last one by number and by hash, and none
 * is changed, removed or replaced.
 *
 * It refers to no other table: a line is kept of a client that there is not, too. What is known as an action grows with
 * each version, and so is checked when a line is read.
 */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    sequence: integer('sequence').notNull().primaryKey(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    from: text('from_address'),
    action: text('action').notNull(),
    outcome: text('outcome').notNull(),
    clientId: text('client_id'),
    targetId: text('target_id'),
    /** JSON object. */
    detail: text('detail').notNull(),
    /** SHA-256 in hexadecimal; zeros for the first line. */
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    uniqueIndex('audit_entries_hash').on(table.hash),
    uniqueIndex('audit_entries_previous_hash').on(table.previousHash),
    // The filters of a list. In an index, rows that are equal stand in the order of their sequence.
    index('audit_entries_actor').on(table.actorId),
    index('audit_entries_client').on(table.clientId),
    index('audit_entries_action').on(table.action),
    index('audit_entries_outcome').on(table.outcome),
    check('audit_entries_known_actor_kind', oneOf(table.actorKind, AUDIT_ACTOR_KINDS)),
    check('audit_entries_known_outcome', oneOf(table.outcome, AUDIT_OUTCOMES)),
    check('audit_entries_hash_length', sql`length(${table.hash}) = 64`),
  ],
);
