import { ACTIVE_STATUSES, SANDBOX_OUTCOMES, STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import { clients } from './clients.ts';
import { moment, oneOf, orderedText } from './columns.ts';

/** The states that a sandbox drives a verification out of. */
export const DRIVEN_STATUSES: readonly Status[] = ['pending', 'submitted'];

/**
 * JSON documents are `jsonb`: it refuses NUL and lone surrogates, which the domain lets through nowhere
 * (`isStorableText`), keeps every number of the domain exactly, and gives the keys of an object in an order of its own.
 */
export const verifications = pgTable(
  'verifications',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    type: orderedText('type').notNull(),
    subjectReference: orderedText('subject_reference').notNull(),
    status: orderedText('status').notNull(),
    requestedAt: moment('requested_at').notNull(),
    resolvedAt: moment('resolved_at'),
    currentStep: integer('current_step').notNull(),
    version: integer('version').notNull(),
    linkVersion: integer('link_version').notNull(),
    linkExpiresAt: moment('link_expires_at').notNull(),
    idempotencyKey: orderedText('idempotency_key'),
    idempotencyFingerprint: text('idempotency_fingerprint'),
    metadata: jsonb('metadata').notNull(),
    answers: jsonb('answers').notNull(),
    reviewData: jsonb('review_data').notNull(),
    submittedAt: moment('submitted_at'),
    claimedBy: orderedText('claimed_by'),
    claimedAt: moment('claimed_at'),
    dataKeyWrappedBy: text('data_key_wrapped_by'),
    dataKey: text('data_key'),
    sandboxOutcome: text('sandbox_outcome'),
    flowVersion: integer('flow_version').notNull(),
  },
  (table) => [
    primaryKey({ name: 'verifications_pk', columns: [table.clientId, table.id] }),
    foreignKey({ name: 'verifications_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    // Links and reviewers know nothing but the id.
    index('verifications_id').on(table.id),
    uniqueIndex('verifications_one_active')
      .on(table.clientId, table.subjectReference)
      .where(oneOf(table.status, ACTIVE_STATUSES)),
    uniqueIndex('verifications_idempotency_key')
      .on(table.clientId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} is not null`),
    // The default order; with the two filters in it, counting needs no look at the table.
    index('verifications_listing').on(table.clientId, table.requestedAt, table.id, table.status, table.type),
    // All of one subject, and the order by it.
    index('verifications_subject').on(table.clientId, table.subjectReference, table.id),
    // What reviewers go through, in their order, with their filters in it. Pending ones are left out: they are all that
    // is created, and so a creation does not pay for it.
    index('verifications_queue')
      .on(table.status, table.submittedAt, table.id, table.clientId, table.type, table.claimedBy)
      .where(sql`${table.status} <> 'pending'`),
    // What sandboxes still have to drive, the oldest first. Hardly anything is: it costs other verifications nothing.
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
export const verificationEvents = pgTable(
  'verification_events',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    verificationId: uuid('verification_id').notNull(),
    version: integer('version').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    at: moment('at').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id'),
    data: jsonb('data').notNull(),
    /** When it is due: at first its own moment, then the end of a lease or the next attempt. */
    availableAt: moment('available_at').notNull(),
    leaseToken: text('lease_token'),
    attempts: integer('attempts').notNull(),
    deliveredAt: moment('delivered_at'),
  },
  (table) => [
    // In the order in which a history is read.
    primaryKey({
      name: 'verification_events_pk',
      columns: [table.clientId, table.verificationId, table.version, table.id],
    }),
    foreignKey({
      name: 'verification_events_verification',
      columns: [table.clientId, table.verificationId],
      foreignColumns: [verifications.clientId, verifications.id],
    }),
    index('verification_events_undelivered').on(table.at, table.id).where(sql`${table.deliveredAt} is null`),
    // Holds just what workers hold at the moment: it costs a creation nothing.
    index('verification_events_leased').on(table.leaseToken).where(sql`${table.leaseToken} is not null`),
  ],
);
