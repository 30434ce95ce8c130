import { ACTIVE_STATUSES, SEVERITIES_TO_CHECK, STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import { DRIVEN_STATUSES, LATER_STATUS_EVENT_TYPES } from '@countersign/domain/storage';
import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';
import {
  check,
  foreignKey,
  index,
  integer,
  nameKeyOf,
  oneOf,
  orderedText,
  pgTable,
  primaryKey,
  sql,
  unique,
  uniqueIndex,
  uuid,
} from './drizzle.ts';
import { tableOf } from './tables/dialect.ts';
import * as own from './tables/own-columns.ts';

export const clients = tableOf(tables.clients, (table) => [
  primaryKey({ name: 'clients_pk', columns: [table.id] }),
  // Pages of clients by name.
  index('clients_by_name').on(sql`(${nameKeyOf(table.name)})`, table.id),
  uniqueIndex('clients_test_of').on(table.testOf),
]);

export const clientFaces = tableOf(tables.clientFaces, (table) => [
  primaryKey({ name: 'client_faces_pk', columns: [table.clientId] }),
  foreignKey({ name: 'client_faces_client', columns: [table.clientId], foreignColumns: [clients.id] }),
  check(
    'client_faces_whole_logo',
    sql`num_nulls(${table.logoId}, ${table.logoWidth}, ${table.logoHeight}, ${table.logo}) in (0, 4)`,
  ),
]);

export const subscriptions = tableOf(tables.subscriptions, (table) => [
  primaryKey({ name: 'subscriptions_pk', columns: [table.clientId] }),
  foreignKey({ name: 'subscriptions_client', columns: [table.clientId], foreignColumns: [clients.id] }),
]);

export const usage = tableOf(tables.usage, (table) => [
  primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
  foreignKey({ name: 'usage_client', columns: [table.clientId], foreignColumns: [clients.id] }),
  check('usage_month_form', sql`${table.month} ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
]);

export const apiKeys = tableOf(tables.apiKeys, (table) => [
  primaryKey({ name: 'api_keys_pk', columns: [table.clientId, table.id] }),
  foreignKey({ name: 'api_keys_client', columns: [table.clientId], foreignColumns: [clients.id] }),
  // A request contains only the hash, so it leads. With the client in the index, each shard can enforce uniqueness.
  uniqueIndex('api_keys_hash').on(table.hash, table.clientId),
  uniqueIndex('api_keys_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
  check('api_keys_hash_length', sql`octet_length(${table.hash}) = 32`),
]);

export const verifications = tableOf(tables.verifications, (table) => [
  primaryKey({ name: 'verifications_pk', columns: [table.clientId, table.id] }),
  foreignKey({ name: 'verifications_client', columns: [table.clientId], foreignColumns: [clients.id] }),
  // Links and reviewers have only the id.
  index('verifications_id').on(table.id),
  uniqueIndex('verifications_one_active')
    .on(table.clientId, table.subjectReference)
    .where(oneOf(table.status, ACTIVE_STATUSES)),
  uniqueIndex('verifications_idempotency_key')
    .on(table.clientId, table.idempotencyKey)
    .where(sql`${table.idempotencyKey} is not null`),
  // The reviewers' queue in its order, with its filters. Pending verifications are left out, so that a creation does
  // not update this index.
  index('verifications_queue')
    .on(table.status, table.submittedAt, table.id, table.clientId, table.type, table.claimedBy)
    .where(sql`${table.status} <> 'pending'`),
  // Verifications that sandboxes still have to drive, oldest first. Other verifications are not in this index.
  index('verifications_sandbox_due')
    .on(table.requestedAt, table.id)
    .where(sql`${table.sandboxOutcome} is not null and ${oneOf(table.status, DRIVEN_STATUSES)}`),
  // Decided verifications by group, in the order of their decisions. A creation does not update this index.
  index('verifications_resolved')
    .on(table.clientId, table.status, table.type, table.resolvedAt, table.requestedAt, table.id)
    .where(sql`${table.resolvedAt} is not null`),
  // Lists read each group of one status and type in the order of its requests, and merge the groups. The step shows which
  // pending verifications are not begun.
  index('verifications_groups').on(
    table.clientId,
    table.status,
    table.type,
    table.requestedAt,
    table.id,
    table.currentStep,
  ),
  // The same in the order of steps. New verifications are left out, so that a creation does not update this index.
  index('verifications_steps')
    .on(table.clientId, table.status, table.type, table.currentStep, table.requestedAt, table.id)
    .where(sql`${table.status} <> 'pending' or ${table.currentStep} > 0`),
  // What waits for a decision and asks to be looked at, in the order of the queue. Only what was warned of is in this index.
  index('verifications_warned')
    .on(table.submittedAt, table.id)
    .where(sql`${table.status} = 'submitted' and ${oneOf(table.severity, SEVERITIES_TO_CHECK)}`),
  // What subjects submitted again, in the order of the queue. Nothing else is in this index.
  index('verifications_resubmitted')
    .on(table.submittedAt, table.id)
    .where(sql`${table.status} = 'submitted' and ${table.isResubmitted}`),
  // What a reviewer claimed, in the order of the queue. Only claims and releases update this index.
  index('verifications_claims')
    .on(table.claimedBy, table.submittedAt, table.id)
    .where(sql`${table.claimedBy} is not null`),
  // All verifications of one subject, and the order by subject reference. Filters need no look-up of rows. A change of status
  // writes an entry to each index, so these two columns cost it nothing.
  index('verifications_subjects').on(
    table.clientId,
    table.subjectReference,
    table.requestedAt,
    table.id,
    table.status,
    table.type,
  ),
  // What the retention job looks at next, over all clients. Open verifications are not in this index.
  index('verifications_retention_due')
    .on(table.retentionCheckAt, table.id)
    .where(sql`${table.retentionCheckAt} is not null`),
  // Verifications with replaced uploads, in the order in which the retention job looks at them.
  index('verifications_uploads_due')
    .on(table.uploadsCheckAt, table.id)
    .where(sql`${table.uploadsCheckAt} is not null`),
  // Decided verifications that the job does not know yet: a server of version 0.2.0 beside this one decided them. The index is
  // empty once the job has looked at them.
  index('verifications_retention_unplanned')
    .on(table.id)
    .where(
      sql`${table.resolvedAt} is not null and ${table.retentionCheckAt} is null and ${table.heldAt} is null and ${table.erasedAt} is null`,
    ),
  // Erasures that began and have not finished, of which there are few.
  index('verifications_unfinished_erasures')
    .on(table.erasedAt, table.id)
    .where(sql`${table.erasedAt} is not null and ${table.retentionCheckAt} is not null`),
  // Finds the keys that wrap data keys without reading every verification. New verifications are not in this index.
  index('verifications_wrapping_keys')
    .on(table.dataKeyWrappedBy)
    .where(sql`${table.dataKeyWrappedBy} is not null`),
  // The review of a client: open verifications, and decided ones in the order of their decisions, without reading rows. New
  // verifications are not in this index.
  index('verifications_reviewed')
    .on(table.clientId, table.resolvedAt, table.submittedAt, table.status, table.id)
    .where(sql`${table.submittedAt} is not null`),
]);

const countColumn = (status: Status) => integer(status).notNull().default(0);

/** A column for the number of verifications in each status. */
const countColumns = Object.fromEntries(STATUSES.map((status) => [status, countColumn(status)])) as Record<
  Status,
  ReturnType<typeof countColumn>
>;

/**
 * Number of verifications of a client by day of the request, type and status. Triggers of the migrations keep it true,
 * whatever statement changes `verifications`. No CHECK bounds a count: a wrong one must not refuse a change of a
 * verification.
 */
export const verificationCounts = pgTable(
  'verification_counts',
  {
    clientId: uuid('client_id').notNull(),
    /** Days since 1970-01-01 in UTC. */
    day: integer('day').notNull(),
    type: orderedText('type').notNull(),
    ...countColumns,
  },
  (table) => [
    primaryKey({ name: 'verification_counts_pk', columns: [table.clientId, table.day, table.type] }),
    foreignKey({
      name: 'verification_counts_client',
      columns: [table.clientId],
      foreignColumns: [clients.id],
    }).onDelete('cascade'),
    check('verification_counts_known_type', oneOf(table.type, SUBJECT_TYPES)),
  ],
);

export const verificationEvents = tableOf(own.verificationEvents, (table) => [
  // The order of a history.
  primaryKey({
    name: 'verification_events_pk',
    columns: [table.clientId, table.verificationId, table.version, table.id],
  }),
  foreignKey({
    name: 'verification_events_verification',
    columns: [table.clientId, table.verificationId],
    foreignColumns: [verifications.clientId, verifications.id],
  }),
  // What clients read as the history. The event of a creation is left out, so that a creation does not update this index:
  // it is found by its version.
  index('verification_events_history')
    .on(table.clientId, table.verificationId, table.version)
    .where(oneOf(table.type, LATER_STATUS_EVENT_TYPES)),
  // What `fanOut` reads of a client, the oldest first.
  index('verification_events_unsent').on(table.clientId, table.at).where(sql`${table.unsent}`),
]);

export const webhookEndpoints = tableOf(own.webhookEndpoints, (table) => [
  primaryKey({ name: 'webhook_endpoints_pk', columns: [table.clientId, table.id] }),
  foreignKey({ name: 'webhook_endpoints_client', columns: [table.clientId], foreignColumns: [clients.id] }),
  uniqueIndex('webhook_endpoints_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
  // Endpoints to lease, those that have been due longest first.
  index('webhook_endpoints_due')
    .on(table.dueAt, table.id)
    .where(sql`${table.state} = 'active' and ${table.dueAt} is not null`),
  check(
    'webhook_endpoints_slot_in_range',
    sql`${table.slot} between 1 and ${sql.raw(String(MAX_WEBHOOK_ENDPOINTS))}`,
  ),
  check(
    'webhook_endpoints_previous_secret_whole',
    sql`(${table.previousSecret} is null) = (${table.previousSecretValidUntil} is null)
        and (${table.previousSecret} is not null or ${table.previousSecretWrappedBy} is null)`,
  ),
  check(
    'webhook_endpoints_older_secret_whole',
    sql`(${table.olderSecret} is null) = (${table.olderSecretValidUntil} is null)
        and (${table.olderSecret} is not null or ${table.olderSecretWrappedBy} is null)`,
  ),
]);

export const webhookDeliveries = tableOf(tables.webhookDeliveries, (table) => [
  primaryKey({ name: 'webhook_deliveries_pk', columns: [table.clientId, table.endpointId, table.eventId] }),
  foreignKey({
    name: 'webhook_deliveries_endpoint',
    columns: [table.clientId, table.endpointId],
    foreignColumns: [webhookEndpoints.clientId, webhookEndpoints.id],
  }).onDelete('cascade'),
  // Not the event: each answer that supersedes another deletes its event, and would look for deliveries of it.
  foreignKey({
    name: 'webhook_deliveries_verification',
    columns: [table.clientId, table.verificationId],
    foreignColumns: [verifications.clientId, verifications.id],
  }),
  // What is due, in the order in which it is sent.
  index('webhook_deliveries_due')
    .on(table.clientId, table.endpointId, table.dueAt, table.at, table.eventId)
    .where(sql`${table.state} = 'waiting'`),
  // Whether an earlier version of a verification waits too.
  index('webhook_deliveries_versions')
    .on(table.clientId, table.endpointId, table.verificationId, table.version)
    .where(sql`${table.state} = 'waiting'`),
  // The log. A change of state writes an entry to each index, so this column costs it nothing.
  index('webhook_deliveries_log').on(table.clientId, table.endpointId, table.state, table.at, table.eventId),
  check('webhook_deliveries_due_while_waiting', sql`(${table.dueAt} is not null) = (${table.state} = 'waiting')`),
]);

export const webhookAttempts = tableOf(tables.webhookAttempts, (table) => [
  primaryKey({
    name: 'webhook_attempts_pk',
    columns: [table.clientId, table.endpointId, table.eventId, table.id],
  }),
  foreignKey({
    name: 'webhook_attempts_delivery',
    columns: [table.clientId, table.endpointId, table.eventId],
    foreignColumns: [webhookDeliveries.clientId, webhookDeliveries.endpointId, webhookDeliveries.eventId],
  }).onDelete('cascade'),
]);

export const clientRetention = tableOf(tables.clientRetention, (table) => [
  primaryKey({ name: 'client_retention_pk', columns: [table.clientId] }),
  foreignKey({ name: 'client_retention_client', columns: [table.clientId], foreignColumns: [clients.id] }),
]);

export const erasures = tableOf(tables.erasures, (table) => [
  primaryKey({ name: 'erasures_pk', columns: [table.clientId, table.number] }),
  unique('erasures_number').on(table.number),
  check('erasures_hash_length', sql`octet_length(${table.hash}) = 32`),
]);

export const exportRequests = tableOf(tables.exportRequests, (table) => [
  primaryKey({ name: 'export_requests_pk', columns: [table.clientId, table.id] }),
  foreignKey({
    name: 'export_requests_known_verification',
    columns: [table.clientId, table.verificationId],
    foreignColumns: [verifications.clientId, verifications.id],
  }),
  uniqueIndex('export_requests_verification').on(table.clientId, table.verificationId),
  // A link has the id alone.
  index('export_requests_id').on(table.id),
  // Index for deleting ended exports, oldest first.
  index('export_requests_expiry').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  // Index for deleting declined ones.
  index('export_requests_declined').on(table.declinedAt).where(sql`${table.declinedAt} is not null`),
]);

export const handOverCodes = tableOf(tables.handOverCodes, (table) => [
  primaryKey({ name: 'hand_over_codes_pk', columns: [table.clientId, table.verificationId] }),
  foreignKey({
    name: 'hand_over_codes_known_verification',
    columns: [table.clientId, table.verificationId],
    foreignColumns: [verifications.clientId, verifications.id],
  }),
  // Index for deleting codes, oldest first.
  index('hand_over_codes_issued_at').on(table.issuedAt),
]);

export const readings = tableOf(tables.readings, (table) => [
  primaryKey({ name: 'readings_pk', columns: [table.clientId, table.verificationId, table.fileId] }),
  foreignKey({
    name: 'readings_known_verification',
    columns: [table.clientId, table.verificationId],
    foreignColumns: [verifications.clientId, verifications.id],
  }),
]);

export const indexKeys = tableOf(tables.indexKeys, (table) => [
  primaryKey({ name: 'index_keys_pk', columns: [table.clientId, table.version] }),
  foreignKey({ name: 'index_keys_client', columns: [table.clientId], foreignColumns: [clients.id] }),
]);

export const indexedVerifications = tableOf(tables.indexedVerifications, (table) => [
  primaryKey({ name: 'indexed_verifications_pk', columns: [table.clientId, table.verificationId] }),
  foreignKey({
    name: 'indexed_verifications_known_verification',
    columns: [table.clientId, table.verificationId],
    foreignColumns: [verifications.clientId, verifications.id],
  }),
  foreignKey({
    name: 'indexed_verifications_known_key',
    columns: [table.clientId, table.keyVersion],
    foreignColumns: [indexKeys.clientId, indexKeys.version],
  }),
]);

export const indexEntries = tableOf(tables.indexEntries, (table) => [
  // A label is looked up without reading a row.
  primaryKey({
    name: 'index_entries_pk',
    columns: [table.clientId, table.purpose, table.label, table.verificationId],
  }),
  // The labels of a verification, which are replaced and erased.
  index('index_entries_verification').on(table.clientId, table.verificationId),
]);

export const mails = tableOf(tables.mails, (table) => [
  primaryKey({ name: 'mails_pk', columns: [table.id] }),
  index('mails_due').on(table.dueAt, table.id),
  index('mails_due_fresh').on(table.dueAt, table.id).where(sql`${table.heldUntil} is null`),
]);

export const mailBudgets = tableOf(tables.mailBudgets, (table) => [
  primaryKey({ name: 'mail_budgets_pk', columns: [table.name] }),
  index('mail_budgets_ends').on(table.endsAt),
]);

export const erasureLogs = tableOf(tables.erasureLogs, (table) => [
  primaryKey({ name: 'erasure_logs_pk', columns: [table.id] }),
]);

export const retentionRuns = tableOf(tables.retentionRuns, (table) => [
  primaryKey({ name: 'retention_runs_pk', columns: [table.id] }),
]);

/** Constraints enforce the chain: each entry refers to the one before it by number and by hash. A trigger refuses UPDATE, DELETE and TRUNCATE. */
export const auditEntries = tableOf(own.auditEntries, (table) => [
  primaryKey({ name: 'audit_entries_pk', columns: [table.sequence] }),
  unique('audit_entries_hash').on(table.hash),
  unique('audit_entries_previous_hash').on(table.previousHash),
  // The columns to which the next entry refers.
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
  // One index for each filter of a list, in the order of the entries.
  index('audit_entries_actor').on(table.actorId, table.sequence),
  index('audit_entries_client').on(table.clientId, table.sequence),
  index('audit_entries_action').on(table.action, table.sequence),
  index('audit_entries_outcome').on(table.outcome, table.sequence),
  index('audit_entries_at').on(table.at, table.sequence),
]);
