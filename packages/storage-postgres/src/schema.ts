import {
  ACTIVE_STATUSES,
  AUDIT_ACTOR_KINDS,
  AUDIT_OUTCOMES,
  MAX_ACTIVE_KEYS,
  SANDBOX_OUTCOMES,
  STATUSES,
  type Status,
  SUBJECT_TYPES,
} from '@countersign/domain';
import { PLANS, SUBSCRIPTION_STATUSES } from '@countersign/domain/clients';
import { EXPORT_CODE_ATTEMPTS, EXPORT_REQUESTERS } from '@countersign/domain/exports';
import { ERASURE_RULES } from '@countersign/domain/retention';
import {
  DELIVERY_STATES,
  DRIVEN_STATUSES,
  LATER_STATUS_EVENT_TYPES,
  MAX_EVENTS,
} from '@countersign/domain/storage';
import { ENDPOINT_STATES, MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';
import {
  bigint,
  boolean,
  bytes,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  moment,
  nameKeyOf,
  oneOf,
  orderedText,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
  uniqueIndex,
  uuid,
} from './drizzle.ts';
import { tableOf } from './tables/dialect.ts';

export const clients = pgTable(
  'clients',
  {
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull(),
    /** Whether it is a test twin. Servers of 0.2 read it, no later version does. */
    sandbox: boolean('sandbox').notNull().default(false),
    /** JSON array of texts. */
    returnAddresses: jsonb('return_addresses').notNull().default(sql`'[]'::jsonb`),
    fileAccess: boolean('file_access').notNull().default(false),
    /** The client whose test twin it is. */
    testOf: uuid('test_of'),
  },
  (table) => [
    primaryKey({ name: 'clients_pk', columns: [table.id] }),
    // Pages of clients by name.
    index('clients_by_name').on(sql`(${nameKeyOf(table.name)})`, table.id),
    uniqueIndex('clients_test_of').on(table.testOf),
  ],
);

/** How a client appears to its subjects. A client that never changed it has no row. */
export const clientFaces = pgTable(
  'client_faces',
  {
    clientId: uuid('client_id').notNull(),
    displayName: text('display_name'),
    /** `#rrggbb`. */
    colour: text('colour'),
    supportAddress: text('support_address'),
    privacyAddress: text('privacy_address'),
    /** SHA-256 of the logo. */
    logoId: bytes('logo_id'),
    logoWidth: integer('logo_width'),
    logoHeight: integer('logo_height'),
    /** A PNG. */
    logo: bytes('logo'),
  },
  (table) => [
    primaryKey({ name: 'client_faces_pk', columns: [table.clientId] }),
    foreignKey({ name: 'client_faces_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check(
      'client_faces_whole_logo',
      sql`num_nulls(${table.logoId}, ${table.logoWidth}, ${table.logoHeight}, ${table.logo}) in (0, 4)`,
    ),
  ],
);

/** At most one row for each client. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    clientId: uuid('client_id').notNull(),
    plan: text('plan').notNull(),
    status: text('status').notNull(),
    monthlyLimit: integer('monthly_limit'),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at'),
  },
  (table) => [
    primaryKey({ name: 'subscriptions_pk', columns: [table.clientId] }),
    foreignKey({ name: 'subscriptions_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check('subscriptions_known_plan', oneOf(table.plan, PLANS)),
    check('subscriptions_known_status', oneOf(table.status, SUBSCRIPTION_STATUSES)),
  ],
);

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and the allowance at the last charge. */
export const usage = pgTable(
  'usage',
  {
    clientId: uuid('client_id').notNull(),
    month: text('month').notNull(),
    used: integer('used').notNull(),
    allowance: integer('allowance').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_pk', columns: [table.clientId, table.month] }),
    foreignKey({ name: 'usage_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    check('usage_month_form', sql`${table.month} ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'`),
    check('usage_within_allowance', sql`${table.used} <= ${table.allowance}`),
  ],
);

/**
 * The cap of active keys is a constraint: an active key holds one of the slots 1 to 10, each at most once a client.
 * A revoked key has none; an expired one gives its slot back when the next key is issued.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** SHA-256. */
    hash: bytes('hash').notNull(),
    display: text('display').notNull(),
    /** JSON array. */
    permissions: jsonb('permissions').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    lastUsedAt: moment('last_used_at'),
    slot: smallint('slot'),
    createdBy: text('created_by'),
    noticedDays: smallint('noticed_days'),
    /** JSON array; null if the key works from everywhere. */
    networks: jsonb('networks'),
  },
  (table) => [
    primaryKey({ name: 'api_keys_pk', columns: [table.clientId, table.id] }),
    foreignKey({ name: 'api_keys_client', columns: [table.clientId], foreignColumns: [clients.id] }),
    // A request contains only the hash, so it leads. With the client in the index, each shard can enforce uniqueness.
    uniqueIndex('api_keys_hash').on(table.hash, table.clientId),
    uniqueIndex('api_keys_slot').on(table.clientId, table.slot).where(sql`${table.slot} is not null`),
    check('api_keys_slot_in_range', sql`${table.slot} between 1 and ${sql.raw(String(MAX_ACTIVE_KEYS))}`),
    check('api_keys_revoked_without_slot', sql`${table.revokedAt} is null or ${table.slot} is null`),
    check('api_keys_hash_length', sql`octet_length(${table.hash}) = 32`),
  ],
);

/**
 * JSON documents are `jsonb`: it refuses NUL and lone surrogates, which the domain lets through nowhere
 * (`isStorableText`), keeps every number of the domain exactly, and returns the keys of an object in another order.
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
    /** Number of its rows in `verification_events`. */
    eventCount: integer('event_count').notNull(),
    returnUrl: text('return_url'),
    locale: text('locale'),
    relationshipEndedAt: moment('relationship_ended_at'),
    heldAt: moment('held_at'),
    heldBy: text('held_by'),
    heldUntil: moment('held_until'),
    erasureRequestedAt: moment('erasure_requested_at'),
    erasedAt: moment('erased_at'),
    erasureNumber: integer('erasure_number'),
    retentionCheckAt: moment('retention_check_at'),
    uploadsCheckAt: moment('uploads_check_at'),
    notify: jsonb('notify'),
  },
  (table) => [
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

/**
 * The history. An event never changes, except for `unsent`. A commit may delete one that its own event replaces.
 */
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
    /** This column and the three after it are for servers of version 0.2.0, which may serve beside this one. Nothing reads them. */
    availableAt: moment('available_at'),
    leaseToken: text('lease_token'),
    attempts: integer('attempts'),
    deliveredAt: moment('delivered_at'),
    /**
     * Whether it still has to be fanned out to the endpoints of its client; null if not. The default counts the events of
     * version 0.2.0, which may serve beside this one.
     */
    unsent: boolean('unsent').default(true),
  },
  (table) => [
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
  ],
);

/**
 * The cap of endpoints is a constraint, as for keys: each has one of the slots 1 to 10, each at most once a client. A copy
 * assigns them at its end.
 */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    url: text('url').notNull(),
    name: text('name').notNull(),
    /** JSON array. */
    types: jsonb('types').notNull(),
    state: text('state').notNull(),
    since: moment('since').notNull(),
    createdAt: moment('created_at').notNull(),
    createdBy: text('created_by'),
    secret: text('secret').notNull(),
    secretWrappedBy: text('secret_wrapped_by'),
    previousSecret: text('previous_secret'),
    previousSecretWrappedBy: text('previous_secret_wrapped_by'),
    previousSecretValidUntil: moment('previous_secret_valid_until'),
    failingSince: moment('failing_since'),
    slot: smallint('slot'),
    /** When its next delivery is due, or earlier; null if none waits. */
    dueAt: moment('due_at'),
    /** Number of times that deliveries were added. A release that has not seen the last ones leaves `due_at` as it is. */
    wakes: bigint('wakes', { mode: 'number' }).notNull().default(0),
    leaseToken: text('lease_token'),
    leasedUntil: moment('leased_until'),
    secretVersion: integer('secret_version').notNull().default(1),
    olderSecret: text('older_secret'),
    olderSecretWrappedBy: text('older_secret_wrapped_by'),
    olderSecretValidUntil: moment('older_secret_valid_until'),
  },
  (table) => [
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
    check('webhook_endpoints_known_state', oneOf(table.state, ENDPOINT_STATES)),
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
    check('webhook_endpoints_lease_whole', sql`(${table.leaseToken} is null) = (${table.leasedUntil} is null)`),
  ],
);

/** Events on their way to endpoints, and the log of those that arrived or failed. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    clientId: uuid('client_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    verificationId: uuid('verification_id').notNull(),
    version: integer('version').notNull(),
    /** The type of the webhook. */
    type: text('type').notNull(),
    /** Time of the event. */
    at: moment('at').notNull(),
    state: text('state').notNull(),
    attempts: integer('attempts').notNull(),
    dueAt: moment('due_at'),
  },
  (table) => [
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
    check('webhook_deliveries_known_state', oneOf(table.state, DELIVERY_STATES)),
    check(
      'webhook_deliveries_due_while_waiting',
      sql`(${table.dueAt} is not null) = (${table.state} = 'waiting')`,
    ),
  ],
);

/** Requests to endpoints and their results. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    clientId: uuid('client_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    id: uuid('id').notNull(),
    at: moment('at').notNull(),
    durationMs: doublePrecision('duration_ms').notNull(),
    request: text('request').notNull(),
    /** HTTP status. */
    status: integer('status'),
    response: text('answer'),
    fault: text('fault'),
  },
  (table) => [
    primaryKey({
      name: 'webhook_attempts_pk',
      columns: [table.clientId, table.endpointId, table.eventId, table.id],
    }),
    foreignKey({
      name: 'webhook_attempts_delivery',
      columns: [table.clientId, table.endpointId, table.eventId],
      foreignColumns: [webhookDeliveries.clientId, webhookDeliveries.endpointId, webhookDeliveries.eventId],
    }).onDelete('cascade'),
  ],
);

/** The policy of a client, and how far its verifications were planned by it. Clients without either have no row. */
export const clientRetention = pgTable(
  'client_retention',
  {
    clientId: uuid('client_id').notNull(),
    /** JSON object; null if the client has no policy of its own. */
    policy: jsonb('policy'),
    plannedBy: text('planned_by'),
    plannedAfter: uuid('planned_after'),
  },
  (table) => [
    primaryKey({ name: 'client_retention_pk', columns: [table.clientId] }),
    foreignKey({ name: 'client_retention_client', columns: [table.clientId], foreignColumns: [clients.id] }),
  ],
);

/**
 * The receipts of erasures. Their numbers are one sequence for all clients, which the erasure log shares, so this table is not
 * distributed by client. No foreign keys: the erasure log may name verifications that a restored backup does not have.
 */
export const erasures = pgTable(
  'erasures',
  {
    clientId: uuid('client_id').notNull(),
    number: integer('number').notNull(),
    verificationId: uuid('verification_id').notNull(),
    at: moment('at').notNull(),
    rule: text('rule').notNull(),
    steps: integer('steps').notNull(),
    files: integer('files').notNull(),
    events: integer('events').notNull(),
    /** SHA-256. */
    hash: bytes('hash').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    primaryKey({ name: 'erasures_pk', columns: [table.clientId, table.number] }),
    unique('erasures_number').on(table.number),
    check('erasures_number_from_one', sql`${table.number} >= 1`),
    check('erasures_known_rule', oneOf(table.rule, ERASURE_RULES)),
    check('erasures_hash_length', sql`octet_length(${table.hash}) = 32`),
  ],
);

/** Exports of people's data: one at most for each verification. They hold no personal data. */
export const exportRequests = pgTable(
  'export_requests',
  {
    clientId: uuid('client_id').notNull(),
    id: uuid('id').notNull(),
    verificationId: uuid('verification_id').notNull(),
    requestedAt: moment('requested_at').notNull(),
    requestedBy: text('requested_by').notNull(),
    releasedAt: moment('released_at'),
    releasedBy: text('released_by'),
    codeHash: text('code_hash'),
    linkVersion: integer('link_version').notNull(),
    expiresAt: moment('expires_at'),
    wrongCodes: smallint('wrong_codes').notNull(),
    downloadedAt: moment('downloaded_at'),
    // Servers of an older version write none of these.
    downloads: smallint('downloads').notNull().default(0),
    declinedAt: moment('declined_at'),
    declineReason: text('decline_reason'),
  },
  (table) => [
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
    check('export_requests_known_requester', oneOf(table.requestedBy, EXPORT_REQUESTERS)),
    check(
      'export_requests_release_whole',
      sql`(${table.releasedAt} is null) = (${table.codeHash} is null) and (${table.releasedAt} is null) = (${table.expiresAt} is null)
        and (${table.releasedAt} is null) = (${table.linkVersion} = 0)
        and (${table.releasedAt} is not null or (${table.releasedBy} is null and ${table.downloadedAt} is null and ${table.wrongCodes} = 0))`,
    ),
    check(
      'export_requests_wrong_codes_in_range',
      sql`${table.wrongCodes} between 0 and ${sql.raw(String(EXPORT_CODE_ATTEMPTS))}`,
    ),
  ],
);

export const mails = tableOf(tables.mails, (table) => [
  primaryKey({ name: 'mails_pk', columns: [table.id] }),
  index('mails_due').on(table.dueAt, table.id),
  index('mails_due_fresh').on(table.dueAt, table.id).where(sql`${table.heldUntil} is null`),
]);

export const mailBudgets = tableOf(tables.mailBudgets, (table) => [
  primaryKey({ name: 'mail_budgets_pk', columns: [table.name] }),
  index('mail_budgets_ends').on(table.endsAt),
]);

/** One row at most: the erasure log of this database. */
export const erasureLogs = pgTable(
  'erasure_logs',
  {
    id: smallint('id').notNull(),
    logId: text('log_id').notNull(),
  },
  (table) => [
    primaryKey({ name: 'erasure_logs_pk', columns: [table.id] }),
    check('erasure_logs_one_row', sql`${table.id} = 1`),
  ],
);

/** One row at most: the last run of the retention job, and until when it erases nothing. */
export const retentionRuns = pgTable(
  'retention_runs',
  {
    id: smallint('id').notNull(),
    lastRunAt: moment('last_run_at').notNull(),
    pausedUntil: moment('paused_until'),
  },
  (table) => [
    primaryKey({ name: 'retention_runs_pk', columns: [table.id] }),
    check('retention_runs_one_row', sql`${table.id} = 1`),
  ],
);

/**
 * The audit log. Constraints enforce the chain: each entry refers to the one before it by number and by hash, so that
 * there is neither a gap nor a fork. A trigger of the initial migration refuses UPDATE, DELETE and TRUNCATE.
 *
 * It has no foreign keys: an entry may name a client that does not exist. Actions are checked when an entry is read,
 * because each version adds some.
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
    /** Null for the first entry. */
    previousSequence: bigint('previous_sequence', { mode: 'number' }),
    /** SHA-256; zeros for the first entry. */
    previousHash: bytes('previous_hash').notNull(),
    /** SHA-256. */
    hash: bytes('hash').notNull(),
  },
  (table) => [
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
    check('audit_entries_known_actor_kind', oneOf(table.actorKind, AUDIT_ACTOR_KINDS)),
    check('audit_entries_known_outcome', oneOf(table.outcome, AUDIT_OUTCOMES)),
    // One index for each filter of a list, in the order of the entries.
    index('audit_entries_actor').on(table.actorId, table.sequence),
    index('audit_entries_client').on(table.clientId, table.sequence),
    index('audit_entries_action').on(table.action, table.sequence),
    index('audit_entries_outcome').on(table.outcome, table.sequence),
    index('audit_entries_at').on(table.at, table.sequence),
  ],
);
