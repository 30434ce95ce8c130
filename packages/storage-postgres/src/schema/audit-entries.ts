import { AUDIT_OUTCOMES, type AuditActor } from '@countersign/domain';
import { bigint, check, foreignKey, index, jsonb, pgTable, primaryKey, sql, text, unique } from '../drizzle.ts';
import { bytes, moment, oneOf, orderedText } from './columns.ts';

export const AUDIT_ACTOR_KINDS = Object.keys({
  team_member: true,
  reviewer: true,
  operator: true,
  anonymous: true,
} satisfies Record<AuditActor['kind'], true>) as AuditActor['kind'][];

/**
 * The chain is kept by constraints: each line refers to the one before it by number and by hash at once, so that there
 * is neither a gap nor a fork, whoever writes. A trigger (see the initial migration) refuses UPDATE, DELETE and TRUNCATE.
 *
 * It refers to no other table: a line is kept of a client that there is not, too. What is known as an action grows with
 * each version, and so is checked when a line is read.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    at: moment('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: orderedText('actor_id'),
    from: text('from_address'),
    action: orderedText('action').notNull(),
    outcome: orderedText('outcome').notNull(),
    clientId: orderedText('client_id'),
    targetId: text('target_id'),
    /** JSON object. */
    detail: jsonb('detail').notNull(),
    /** Null for the first line, which follows nothing. */
    previousSequence: bigint('previous_sequence', { mode: 'number' }),
    /** SHA-256; zeros for the first line. */
    previousHash: bytes('previous_hash').notNull(),
    /** SHA-256. */
    hash: bytes('hash').notNull(),
  },
  (table) => [
    primaryKey({ name: 'audit_entries_pk', columns: [table.sequence] }),
    unique('audit_entries_hash').on(table.hash),
    unique('audit_entries_previous_hash').on(table.previousHash),
    // What the next line refers to.
    unique('audit_entries_link').on(table.sequence, table.hash),
    foreignKey({
      name: 'audit_entries_chain',
      columns: [table.previousSequence, table.previousHash],
      foreignColumns: [table.sequence, table.hash],
    }),
    check('audit_entries_without_gap', sql`${table.sequence} = coalesce(${table.previousSequence}, 0) + 1`),
    check(
      'audit_entries_first_follows_nothing',
      sql`(${table.previousSequence} is null) = (${table.previousHash} = decode(repeat('00', 32), 'hex'))`,
    ),
    check('audit_entries_hash_length', sql`octet_length(${table.hash}) = 32`),
    check('audit_entries_known_actor_kind', oneOf(table.actorKind, AUDIT_ACTOR_KINDS)),
    check('audit_entries_known_outcome', oneOf(table.outcome, AUDIT_OUTCOMES)),
    // The filters of a list, each with the newest last.
    index('audit_entries_actor').on(table.actorId, table.sequence),
    index('audit_entries_client').on(table.clientId, table.sequence),
    index('audit_entries_action').on(table.action, table.sequence),
    index('audit_entries_outcome').on(table.outcome, table.sequence),
  ],
);
