import {
  AUDIT_ACTOR_KINDS,
  AUDIT_OUTCOMES,
  MAX_ACTIVE_KEYS,
  SANDBOX_OUTCOMES,
  STATUSES,
  type Status,
  SUBJECT_TYPES,
} from '@countersign/domain';
import { PLANS, SUBSCRIPTION_STATUSES } from '@countersign/domain/clients';
import { DRIVEN_STATUSES, LATER_STATUS_EVENT_TYPES, MAX_EVENTS } from '@countersign/domain/storage';
import { check, index, integer, oneOf, primaryKey, sql, sqliteTable, text, uniqueIndex } from './drizzle.ts';

/** Moments are milliseconds since 1970 in every table. */
export const clients = sqliteTable(
  'clients',
  {
    id: text('id').notNull().primaryKey(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** 1 for a test twin, else 0. Servers of 0.2 read it, no later version does. */
    sandbox: integer('sandbox').notNull().default(0),
    /** The `clientNameKey` of the name. */
    nameKey: text('name_key').notNull().default(''),
    /** JSON array. */
    returnAddresses: text('return_addresses').notNull().default('[]'),
    /** 1 or 0. */
    fileAccess: integer('file_access').notNull().default(0),
    /** The client whose test twin it is. */
    testOf: text('test_of'),
  },
  (table) => [
    // Pages of clients by name.
    index('clients_by_name').on(table.nameKey, table.id),
    uniqueIndex('clients_test_of').on(table.testOf),
    check('clients_sandbox_yes_or_no', sql`${table.sandbox} in (0, 1)`),
    check('clients_file_access_yes_or_no', sql`${table.fileAccess} in (0, 1)`),
  ],
);

/** At most one row for each client. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    clientId: text('client_id')
      .notNull()
      .primaryKey()
      .references(() => clients.id),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    monthlyLimit: integer('monthly_limit'),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at'),
  },
  (table) => [
    check('subscriptions_known_plan', oneOf(table.plan, PLANS)),
    check('subscriptions_known_status', oneOf(table.status, SUBSCRIPTION_STATUSES)),
  ],
);

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and the allowance at the last charge. */
export const usage = sqliteTable(
  'usage',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id),
    month: text('month').notNull(),
    used: integer('used').notNull(),
    allowance: integer('allowance').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
    check('usage_within_allowance', sql`${table.used} <= ${table.allowance}`),
  ],
);

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
    noticedDays: integer('noticed_days'),
    /** JSON array; null if the key works from everywhere. */
    networks: text('networks'),
  },
  (table) => [
    primaryKey({ name: 'api_keys_pk', columns: [table.clientId, table.id] }),
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
    check('api_keys_slot_in_range', sql`${table.slot} between 1 and ${sql.raw(String(MAX_ACTIVE_KEYS))}`),
    check('api_keys_revoked_without_slot', sql`${table.revokedAt} is null or ${table.slot} is null`),
  ],
);

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
    /** Number of its rows in `verification_events`. */
    eventCount: integer('event_count').notNull(),
    returnUrl: text('return_url'),
    locale: text('locale'),
    relationshipEndedAt: integer('relationship_ended_at'),
    heldAt: integer('held_at'),
    heldBy: text('held_by'),
    heldUntil: integer('held_until'),
    erasureRequestedAt: integer('erasure_requested_at'),
    erasedAt: integer('erased_at'),
    erasureNumber: integer('erasure_number'),
    retentionCheckAt: integer('retention_check_at'),
    uploadsCheckAt: integer('uploads_check_at'),
    /** JSON object. */
    notify: text('notify'),
    /** Id and time of the mail with the link, until `lease` moves it to `mails`: a row of its own would be one more page for each creation to write. */
    linkMailId: text('link_mail_id'),
    linkMailAt: integer('link_mail_at'),
  },
  (table) => [
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
    // What is planned anew after a change of a policy, client by client.
    index('verifications_retained')
      .on(table.clientId, table.id)
      .where(sql`${table.resolvedAt} is not null and ${table.erasedAt} is null`),
    // Finds the keys that wrap data keys without reading every verification. New verifications are not in this index.
    index('verifications_wrapping_keys')
      .on(table.dataKeyWrappedBy)
      .where(sql`${table.dataKeyWrappedBy} is not null`),
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
    // A decision is always possible.
    check(
      'verifications_event_limit',
      sql`${table.eventCount} <= ${sql.raw(String(MAX_EVENTS))} or ${table.resolvedAt} is not null`,
    ),
    check(
      'verifications_relationship_of_approved',
      sql`${table.relationshipEndedAt} is null or ${table.status} = 'approved'`,
    ),
    check(
      'verifications_hold_whole',
      sql`${table.heldAt} is not null or (${table.heldBy} is null and ${table.heldUntil} is null)`,
    ),
    // Hold beats erasure.
    check('verifications_held_or_erased', sql`${table.heldAt} is null or ${table.erasedAt} is null`),
    check(
      'verifications_erased_when_decided',
      sql`${table.resolvedAt} is not null or (${table.erasureRequestedAt} is null and ${table.erasedAt} is null and ${table.retentionCheckAt} is null)`,
    ),
    check(
      'verifications_erased_emptied',
      sql`${table.erasureNumber} is null or (${table.erasedAt} is not null and ${table.subjectReference} = 'erased:' || ${table.id} and ${table.idempotencyKey} is null and ${table.metadata} = '{}' and ${table.answers} = '{}' and ${table.reviewData} = '{}' and ${table.dataKey} is null and ${table.sandboxOutcome} is null and ${table.returnUrl} is null and ${table.locale} is null)`,
    ),
    check('verifications_erased_unnotified', sql`${table.erasureNumber} is null or ${table.notify} is null`),
    check('verifications_link_mail_whole', sql`(${table.linkMailId} is null) = (${table.linkMailAt} is null)`),
    check('verifications_erased_unmailed', sql`${table.erasureNumber} is null or ${table.linkMailId} is null`),
  ],
);

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

/**
 * The history. An event never changes, except for `unsent`. A commit may delete one that its own event replaces.
 */
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
    /** Nothing reads this column and the three after it. They are of version 0.2.0: to drop them would write the whole table anew. */
    availableAt: integer('available_at').notNull(),
    leaseToken: text('lease_token'),
    attempts: integer('attempts').notNull(),
    deliveredAt: integer('delivered_at'),
    /** 1 until `fanOut` takes the event; null afterwards, and for events that are not sent. */
    unsent: integer('unsent'),
  },
  (table) => [
    // The order of a history.
    primaryKey({ name: 'verification_events_pk', columns: [table.verificationId, table.version, table.id] }),
    // What clients read as the history. The event of a creation is left out, so that a creation does not update this index:
    // it is found by its version.
    index('verification_events_history')
      .on(table.verificationId, table.version)
      .where(oneOf(table.type, LATER_STATUS_EVENT_TYPES)),
    // What `fanOut` reads of a client.
    index('verification_events_unsent').on(table.clientId, table.at).where(sql`${table.unsent} is not null`),
  ],
);

/**
 * The audit log. Triggers of the initial migration refuse an entry that does not follow the last one by number and by
 * hash, and every
 * change, deletion or replacement.
 *
 * It has no foreign keys: an entry may name a client that does not exist. Actions are checked when an entry is read,
 * because each
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
    /** SHA-256 in hexadecimal; zeros for the first entry. */
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
    index('audit_entries_at').on(table.at),
    check('audit_entries_known_actor_kind', oneOf(table.actorKind, AUDIT_ACTOR_KINDS)),
    check('audit_entries_known_outcome', oneOf(table.outcome, AUDIT_OUTCOMES)),
    check('audit_entries_hash_length', sql`length(${table.hash}) = 64`),
  ],
);
