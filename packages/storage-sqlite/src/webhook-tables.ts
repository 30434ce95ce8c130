import { DELIVERY_STATES } from '@countersign/domain/storage';
import { ENDPOINT_STATES, MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
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
import { clients, verificationEvents } from './schema.ts';

/** The limit of endpoints is a constraint: an endpoint holds one of the slots, each at most once a client. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id),
    id: text('id').notNull(),
    slot: integer('slot').notNull(),
    url: text('url').notNull(),
    name: text('name').notNull(),
    /** JSON array. */
    types: text('types').notNull(),
    state: text('state').notNull(),
    since: integer('since').notNull(),
    createdAt: integer('created_at').notNull(),
    createdBy: text('created_by'),
    secret: text('secret').notNull(),
    secretWrappedBy: text('secret_wrapped_by'),
    previousSecret: text('previous_secret'),
    previousSecretWrappedBy: text('previous_secret_wrapped_by'),
    previousSecretValidUntil: integer('previous_secret_valid_until'),
    failingSince: integer('failing_since'),
    /** When its first waiting delivery is due; null if none waits. */
    dueAt: integer('due_at'),
    leaseToken: text('lease_token'),
    leasedUntil: integer('leased_until'),
    secretVersion: integer('secret_version').notNull().default(1),
    olderSecret: text('older_secret'),
    olderSecretWrappedBy: text('older_secret_wrapped_by'),
    olderSecretValidUntil: integer('older_secret_valid_until'),
  },
  (table) => [
    primaryKey({ name: 'webhook_endpoints_pk', columns: [table.clientId, table.id] }),
    uniqueIndex('webhook_endpoints_slot').on(table.clientId, table.slot),
    // The order in which endpoints are leased.
    index('webhook_endpoints_due')
      .on(table.dueAt, table.id)
      .where(sql`${table.dueAt} is not null and ${table.state} = 'active'`),
    check(
      'webhook_endpoints_slot_in_range',
      sql`${table.slot} between 1 and ${sql.raw(String(MAX_WEBHOOK_ENDPOINTS))}`,
    ),
    check('webhook_endpoints_known_state', oneOf(table.state, ENDPOINT_STATES)),
    check(
      'webhook_endpoints_nothing_due_if_disabled',
      sql`${table.dueAt} is null or ${table.state} <> 'disabled'`,
    ),
    check('webhook_endpoints_lease_whole', sql`(${table.leaseToken} is null) = (${table.leasedUntil} is null)`),
    check(
      'webhook_endpoints_previous_secret_whole',
      sql`(${table.previousSecret} is null) = (${table.previousSecretValidUntil} is null) and (${table.previousSecretWrappedBy} is null or ${table.previousSecret} is not null)`,
    ),
    check(
      'webhook_endpoints_older_secret_whole',
      sql`(${table.olderSecret} is null) = (${table.olderSecretValidUntil} is null) and (${table.olderSecretWrappedBy} is null or ${table.olderSecret} is not null)`,
    ),
  ],
);

/** Events on their way to an endpoint, and their log. Deleted with the endpoint and with the event. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    clientId: text('client_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    eventId: text('event_id').notNull(),
    verificationId: text('verification_id').notNull(),
    version: integer('version').notNull(),
    type: text('type').notNull(),
    /** Time of the event. */
    at: integer('at').notNull(),
    state: text('state').notNull(),
    attempts: integer('attempts').notNull(),
    dueAt: integer('due_at'),
  },
  (table) => [
    primaryKey({ name: 'webhook_deliveries_pk', columns: [table.clientId, table.endpointId, table.eventId] }),
    foreignKey({
      name: 'webhook_deliveries_endpoint',
      columns: [table.clientId, table.endpointId],
      foreignColumns: [webhookEndpoints.clientId, webhookEndpoints.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'webhook_deliveries_event',
      columns: [table.verificationId, table.version, table.eventId],
      foreignColumns: [verificationEvents.verificationId, verificationEvents.version, verificationEvents.id],
    }).onDelete('cascade'),
    // The log of an endpoint by state, and the oldest event that waits for it.
    index('webhook_deliveries_log').on(table.endpointId, table.state, table.at, table.eventId),
    // What is due at an endpoint.
    index('webhook_deliveries_due')
      .on(table.endpointId, table.dueAt, table.at, table.eventId)
      .where(sql`${table.dueAt} is not null`),
    // The earlier versions of a verification.
    index('webhook_deliveries_verification').on(table.verificationId, table.version),
    check('webhook_deliveries_known_state', oneOf(table.state, DELIVERY_STATES)),
    check('webhook_deliveries_due_if_waiting', sql`(${table.dueAt} is not null) = (${table.state} = 'waiting')`),
  ],
);

/** Requests to an endpoint and their results. Deleted with the delivery. */
export const webhookAttempts = sqliteTable(
  'webhook_attempts',
  {
    clientId: text('client_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    eventId: text('event_id').notNull(),
    id: text('id').notNull(),
    at: integer('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    request: text('request').notNull(),
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
