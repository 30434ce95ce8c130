/**
 * The tables of Countersign as data, and functions that turn entries into rows and back.
 *
 * @packageDocumentation
 */
export { type Column, type Columns, isNullable, type NullableIn, type ValueOf } from './column.ts';
export {
  ATTEMPT_COPY,
  CLIENT_RETENTION_COPY,
  type CopyConversion,
  copyRows,
  DELIVERY_COPY,
  ERASURE_LOG_COPY,
  EVENT_COPY,
} from './copies.ts';
export { createRows, type Dialect, type Rows } from './rows.ts';
export { checksOf, columnName, positionsOf, type Table, table, whole, withColumns } from './table.ts';
export { apiKeys } from './tables/api-keys.ts';
export { auditEntries } from './tables/audit.ts';
export { clientAppearances, clientFaces, clients, subscriptions, usage } from './tables/clients.ts';
export { exportRequests } from './tables/exports.ts';
export { handOverCodes } from './tables/hand-overs.ts';
export { indexEntries, indexedVerifications, indexKeys } from './tables/indexes.ts';
export { mailBudgets, mails } from './tables/mails.ts';
export { readings } from './tables/readings.ts';
export { clientRetention, erasureLogs, erasures, retentionRuns } from './tables/retention.ts';
export { verificationEvents, verifications } from './tables/verifications.ts';
export { webhookAttempts, webhookDeliveries, webhookEndpoints } from './tables/webhooks.ts';
