import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';
import { check, foreignKey, index, primaryKey, sql, uniqueIndex } from './drizzle.ts';
import * as own from './rows/own-columns.ts';
import { clients, verificationEvents } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const webhookEndpoints = tableOf(own.webhookEndpoints, null, (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
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
  check('webhook_endpoints_nothing_due_if_disabled', sql`${table.dueAt} is null or ${table.state} <> 'disabled'`),
  check(
    'webhook_endpoints_previous_secret_whole',
    sql`(${table.previousSecret} is null) = (${table.previousSecretValidUntil} is null) and (${table.previousSecretWrappedBy} is null or ${table.previousSecret} is not null)`,
  ),
  check(
    'webhook_endpoints_older_secret_whole',
    sql`(${table.olderSecret} is null) = (${table.olderSecretValidUntil} is null) and (${table.olderSecretWrappedBy} is null or ${table.olderSecret} is not null)`,
  ),
]);

/** Deleted with the endpoint and with the event. */
export const webhookDeliveries = tableOf(tables.webhookDeliveries, null, (table) => [
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
  check('webhook_deliveries_due_if_waiting', sql`(${table.dueAt} is not null) = (${table.state} = 'waiting')`),
]);

/** Deleted with the delivery. */
export const webhookAttempts = tableOf(tables.webhookAttempts, null, (table) => [
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
