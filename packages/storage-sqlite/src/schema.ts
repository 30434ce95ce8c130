import { SEVERITIES_TO_CHECK, STATUSES, type Status, SUBJECT_TYPES } from '@countersign/domain';
import { DRIVEN_STATUSES, LATER_STATUS_EVENT_TYPES } from '@countersign/domain/storage';
import * as tables from '@countersign/tables';
import {
  check,
  foreignKey,
  index,
  integer,
  oneOf,
  primaryKey,
  sql,
  sqliteTable,
  text,
  uniqueIndex,
} from './drizzle.ts';
import * as own from './rows/own-columns.ts';
import { tableOf } from './tables/dialect.ts';

export const clients = tableOf(own.clients, 'id', (table) => [
  // Pages of clients by name.
  index('clients_by_name').on(table.nameKey, table.id),
  uniqueIndex('clients_test_of').on(table.testOf),
  check('clients_sandbox_yes_or_no', sql`${table.sandbox} in (0, 1)`),
  check('clients_file_access_yes_or_no', sql`${table.fileAccess} in (0, 1)`),
  check('clients_asks_place_of_birth_yes_or_no', sql`${table.asksPlaceOfBirth} in (0, 1)`),
  check('clients_asks_proof_of_address_yes_or_no', sql`${table.asksProofOfAddress} in (0, 1)`),
]);

export const subscriptions = tableOf(tables.subscriptions, 'clientId', (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
]);

export const usage = tableOf(tables.usage, null, (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
  primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
]);

export const apiKeys = tableOf(tables.apiKeys, null, (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
  primaryKey({ name: 'api_keys_pk', columns: [table.clientId, table.id] }),
  uniqueIndex('api_keys_hash').on(table.hash),
  uniqueIndex('api_keys_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
]);

export const verifications = tableOf(own.verifications, 'id', (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
  // All active verifications of a subject share one place, decided ones have a place each: so the index that
  // allows one active verification also finds every verification of a subject. The place of a decided one shows its
  // group, so that lists by subject need not read the rows that a filter leaves out.
  uniqueIndex('verifications_one_active').on(
    table.clientId,
    table.subjectReference,
    sql`(case when ${table.resolvedAt} is null then '' else ${table.status} || ' ' || ${table.type} || ' ' || ${table.id} end)`,
  ),
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
  // The same in the order of steps. New verifications are left out, so that a creation does not update this index. The
  // subject is for groups that are collected and sorted.
  index('verifications_steps')
    .on(
      table.clientId,
      table.status,
      table.type,
      table.currentStep,
      table.requestedAt,
      table.id,
      table.subjectReference,
    )
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
  // What the retention job looks at next, over all clients. Open verifications are not in this index.
  index('verifications_retention_due')
    .on(table.retentionCheckAt, table.id)
    .where(sql`${table.retentionCheckAt} is not null`),
  // Verifications with replaced uploads, in the order in which the retention job looks at them.
  index('verifications_uploads_due')
    .on(table.uploadsCheckAt, table.id)
    .where(sql`${table.uploadsCheckAt} is not null`),
  // Erasures that began and have not finished, of which there are few.
  index('verifications_unfinished_erasures')
    .on(table.erasedAt, table.id)
    .where(sql`${table.erasedAt} is not null and ${table.retentionCheckAt} is not null`),
  // Mails with links that wait, in the order in which they are due. Other verifications are not in this index.
  index('verifications_link_mails')
    .on(table.linkMailAt, table.linkMailId)
    .where(sql`${table.linkMailId} is not null`),
  // Decided verifications of each client, which a changed policy replans.
  index('verifications_retained')
    .on(table.clientId, table.id)
    .where(sql`${table.resolvedAt} is not null and ${table.erasedAt} is null`),
  // Finds the keys that wrap data keys without reading every verification. New verifications are not in this index.
  index('verifications_wrapping_keys')
    .on(table.dataKeyWrappedBy)
    .where(sql`${table.dataKeyWrappedBy} is not null`),
  // The review of a client: open verifications, and decided ones in the order of their decisions, without reading rows. New
  // verifications are not in this index.
  index('verifications_reviewed')
    .on(table.clientId, table.resolvedAt, table.submittedAt, table.status, table.id)
    .where(sql`${table.submittedAt} is not null`),
  check('verifications_link_mail_whole', sql`(${table.linkMailId} is null) = (${table.linkMailAt} is null)`),
  check('verifications_erased_unmailed', sql`${table.erasureNumber} is null or ${table.linkMailId} is null`),
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
export const verificationCounts = sqliteTable(
  'verification_counts',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    /** Days since 1970-01-01 in UTC. */
    day: integer('day').notNull(),
    type: text('type').notNull(),
    ...countColumns,
  },
  (table) => [
    primaryKey({ name: 'verification_counts_pk', columns: [table.clientId, table.day, table.type] }),
    check('verification_counts_known_type', oneOf(table.type, SUBJECT_TYPES)),
  ],
);

export const verificationEvents = tableOf(own.verificationEvents, null, (table) => [
  foreignKey({ columns: [table.verificationId], foreignColumns: [verifications.id] }),
  // The order of a history.
  primaryKey({ name: 'verification_events_pk', columns: [table.verificationId, table.version, table.id] }),
  // What clients read as the history. The event of a creation is left out, so that a creation does not update this index:
  // it is found by its version.
  index('verification_events_history')
    .on(table.verificationId, table.version)
    .where(oneOf(table.type, LATER_STATUS_EVENT_TYPES)),
  // What `fanOut` reads of a client.
  index('verification_events_unsent').on(table.clientId, table.at).where(sql`${table.unsent} is not null`),
]);

/** Triggers of the initial migration refuse an entry that does not follow the last one, and every change, deletion or replacement. */
export const auditEntries = tableOf(tables.auditEntries, 'sequence', (table) => [
  uniqueIndex('audit_entries_hash').on(table.hash),
  uniqueIndex('audit_entries_previous_hash').on(table.previousHash),
  // The filters of a list. In an index, rows that are equal stand in the order of their sequence.
  index('audit_entries_actor').on(table.actorId),
  index('audit_entries_client').on(table.clientId),
  index('audit_entries_action').on(table.action),
  index('audit_entries_outcome').on(table.outcome),
  index('audit_entries_at').on(table.at),
  check('audit_entries_hash_length', sql`length(${table.hash}) = 64`),
]);
