import type { ClientWithSubscription, Subscription } from '@countersign/domain/clients';
import * as tables from '@countersign/tables';
import type { Row } from '../rows/parse-row.ts';
import { jsonRowsOf, rowsOf } from './dialect.ts';
import * as own from './own-columns.ts';

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
export const auditRows = jsonRowsOf(own.auditEntries);
export const clientRows = rowsOf(tables.clients);
export const clientJson = jsonRowsOf(tables.clients);
export const subscriptionRows = rowsOf(tables.subscriptions);
export const appearanceRows = rowsOf(tables.clientAppearances);
/** Writes the parts of an appearance. */
export const appearanceEntryRows = rowsOf(tables.clientFaces);
export const apiKeyRows = rowsOf(tables.apiKeys);
export const verificationRows = rowsOf(tables.verifications);
export const verificationJson = jsonRowsOf(tables.verifications);
export const eventRows = rowsOf(own.verificationEvents);
export const eventJson = jsonRowsOf(own.verificationEvents);

/** Parses the subscription of a client from its columns, all null where a join found none. */
export function subscriptionOf(row: Row): Subscription | null {
  return (row[0] ?? null) === null ? null : subscriptionRows.fromRow(row);
}

const CLIENT_COLUMNS = Object.keys(tables.clients.columns).length;

/** Parses the columns of a client, then those of its subscription. */
export function entryOf(row: Row): ClientWithSubscription {
  return { client: clientRows.fromRow(row), subscription: subscriptionOf(row.slice(CLIENT_COLUMNS)) };
}
