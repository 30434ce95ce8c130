import { SANDBOX_OUTCOMES, STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import { check, index, integer, oneOf, primaryKey, sql, sqliteTable, text, uniqueIndex } from '../drizzle.ts';
import { clients } from './clients.ts';

/** The states that a sandbox drives a verification out of. */
export const DRIVEN_STATUSES: readonly Status[] = ['pending', 'submitted'];

/**
 * Every index is paid for by every creation (8 to 14 % of it each), so there is one for each way in and no more. The
 * id alone is the key, because links and reviewers know nothing else; a client's reads compare `client_id` as well.
 */
export const verifications = sqliteTable(
  'verifications',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id),
    id: text('id').notNull().primaryKey(),
    type: text('type').notNull(),
    subjectReference: text('subject_reference').notNull(),
    status: text('status').notNull(),
    requestedAt: integer('requested_at').notNull(),
    resolvedAt: integer('resolved_at'),
    currentStep: integer('current_step').notNull(),
    version: integer('version').notNull(),
    linkVersion: integer('link_version').notNull(),
    linkExpiresAt: integer('link_expires_at').notNull(),
    idempotencyKey: text('idempotency_key'),
    idempotencyFingerprint: text('idempotency_fingerprint'),
    /** JSON objects. */
    metadata: text('metadata').notNull(),
    answers: text('answers').notNull(),
    reviewData: text('review_data').notNull(),
    submittedAt: integer('submitted_at'),
    claimedBy: text('claimed_by'),
    claimedAt: integer('claimed_at'),
    dataKeyWrappedBy: text('data_key_wrapped_by'),
    dataKey: text('data_key'),
    sandboxOutcome: text('sandbox_outcome'),
    flowVersion: integer('flow_version').notNull(),
  },
  (table) => [
    // All active verifications of a subject share one place, decided ones have a place each: so the index that
    // allows one active verification also finds every verification of a subject.
    uniqueIndex('verifications_one_active').on(
      table.clientId,
      table.subjectReference,
      sql`(case when ${table.resolvedAt} is null then '' else ${table.id} end)`,
    ),
    uniqueIndex('verifications_idempotency_key')
      .on(table.clientId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} is not null`),
    // The default order; with the two filters in it, counting needs no look at the table.
    index('verifications_listing').on(table.clientId, table.requestedAt, table.id, table.status, table.type),
    // What reviewers go through, in their order, with their filters in it. Pending ones are left out: they are all that
    // is created, and so a creation does not pay for it.
    index('verifications_queue')
      .on(table.status, table.submittedAt, table.id, table.clientId, table.type, table.claimedBy)
      .where(sql`${table.status} <> 'pending'`),
    // What sandboxes still have to drive, the oldest first. Hardly anything is: it costs no other creation anything.
    index('verifications_sandbox_due')
      .on(table.requestedAt, table.id)
      .where(sql`${table.sandboxOutcome} is not null and ${oneOf(table.status, DRIVEN_STATUSES)}`),
    check('verifications_known_type', oneOf(table.type, SUBJECT_TYPES)),
    check('verifications_known_status', oneOf(table.status, STATUSES)),
    check(
      'verifications_resolved_when_decided',
      sql`(${table.resolvedAt} is not null) = (${oneOf(table.status, ['approved', 'rejected'])})`,
    ),
    check(
      'verifications_idempotency_whole',
      sql`(${table.idempotencyKey} is null) = (${table.idempotencyFingerprint} is null)`,
    ),
    check('verifications_pending_unsubmitted', sql`${table.submittedAt} is null or ${table.status} <> 'pending'`),
    check('verifications_claim_whole', sql`(${table.claimedBy} is null) = (${table.claimedAt} is null)`),
    check(
      'verifications_claimed_when_submitted',
      sql`${table.claimedBy} is null or ${table.status} = 'submitted'`,
    ),
    check('verifications_data_key_whole', sql`(${table.dataKey} is null) = (${table.dataKeyWrappedBy} is null)`),
    check('verifications_known_sandbox_outcome', oneOf(table.sandboxOutcome, SANDBOX_OUTCOMES)),
  ],
);

/** History, audit trail and outbox in one. What happened is never changed; the last four columns are the outbox's. */
export const verificationEvents = sqliteTable(
  'verification_events',
  {
    clientId: text('client_id').notNull(),
    id: text('id').notNull(),
    verificationId: text('verification_id')
      .notNull()
      .references(() => verifications.id),
    version: integer('version').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    /** JSON object. */
    data: text('data').notNull(),
    /** When it is due: at first its own moment, then the end of a lease or the next attempt. */
    availableAt: integer('available_at').notNull(),
    leaseToken: text('lease_token'),
    attempts: integer('attempts').notNull(),
    deliveredAt: integer('delivered_at'),
  },
  (table) => [
    // In the order in which a history is read.
    primaryKey({ name: 'verification_events_pk', columns: [table.verificationId, table.version, table.id] }),
    index('verification_events_undelivered').on(table.at, table.id).where(sql`${table.deliveredAt} is null`),
    // Holds just what workers hold at the moment: it costs a creation nothing.
    index('verification_events_leased').on(table.leaseToken).where(sql`${table.leaseToken} is not null`),
  ],
);
