import type { Subscription } from '@countersign/domain/clients';
import * as tables from '@countersign/tables';
import type { Columns } from '../connection/compiled.ts';
import * as own from '../rows/own-columns.ts';
import { columnRowsOf, rowsOf } from './dialect.ts';

export const mailRows = rowsOf(tables.mails);
export const mailBudgetRows = rowsOf(tables.mailBudgets);
export const exportRows = rowsOf(tables.exportRequests);
export const handOverRows = rowsOf(tables.handOverCodes);
export const readingRows = rowsOf(tables.readings);
export const indexKeyRows = rowsOf(tables.indexKeys);
export const erasureRows = rowsOf(tables.erasures);
export const retentionRunRows = rowsOf(tables.retentionRuns);
export const clientRetentionRows = rowsOf(tables.clientRetention);
export const endpointRows = rowsOf(own.webhookEndpoints);
export const deliveryRows = rowsOf(tables.webhookDeliveries);
export const attemptRows = rowsOf(tables.webhookAttempts);
export const auditRows = rowsOf(tables.auditEntries);
export const clientRows = rowsOf(own.clients);
export const subscriptionRows = rowsOf(tables.subscriptions);
export const appearanceRows = rowsOf(tables.clientAppearances);
export const apiKeyRows = rowsOf(tables.apiKeys);
export const verificationRows = rowsOf(own.verifications);
export const eventRows = rowsOf(own.verificationEvents);
/** Writes the parts of an appearance. */
export const appearanceEntryRows = rowsOf(tables.clientFaces);

/** Parses the subscription of a client, which has one or none. */
export function subscriptionOf(row: object | null): Subscription | null {
  return row === null ? null : subscriptionRows.fromRow(row);
}

const subscriptionColumns = columnRowsOf(tables.subscriptions);

/** As `subscriptionOf`, for columns in the order of the table; null where a join found none. */
export function joinedSubscriptionOf(columns: Columns): Subscription | null {
  return columns[0] === null ? null : subscriptionColumns.fromRow(columns);
}
