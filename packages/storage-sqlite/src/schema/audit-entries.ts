import { AUDIT_OUTCOMES, type AuditActor } from '@countersign/domain';
import { check, index, integer, oneOf, sql, sqliteTable, text, uniqueIndex } from '../drizzle.ts';

export const AUDIT_ACTOR_KINDS = Object.keys({
  team_member: true,
  reviewer: true,
  operator: true,
  anonymous: true,
} satisfies Record<AuditActor['kind'], true>) as AuditActor['kind'][];

/**
 * The audit log. Triggers of the initial migration refuse an entry that does not follow the last one by number and by hash, and every
 * change, deletion or replacement.
 *
 * It has no foreign keys: an entry may name a client that does not exist. Actions are checked when an entry is read, because each
 * version adds some.
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
