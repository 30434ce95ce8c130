import type { TransferEntries, TransferKind } from '@countersign/domain/storage';
import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { clientFaces } from '../appearance-tables.ts';
import { eq, getTableColumns } from '../drizzle.ts';
import { exportRequests } from '../export-tables.ts';
import { mailBudgets, mails } from '../mail-tables.ts';
import { freeSlot } from '../repositories/free-slot.ts';
import { clientRetention, erasureLogs, erasures, retentionRuns } from '../retention-tables.ts';
import { fromAppearanceEntryRow, toAppearanceEntryRow } from '../rows/appearance-rows.ts';
import { fromExportRow, toExportRow } from '../rows/export-rows.ts';
import {
  fromClientRetentionRow,
  fromErasureRow,
  fromRetentionRunRow,
  policyText,
  toErasureRow,
  toRetentionRunRow,
} from '../rows/retention-rows.ts';
import {
  fromApiKeyRow,
  fromAuditRow,
  fromClientRow,
  fromEventRow,
  fromSubscriptionRow,
  fromVerificationRow,
  toApiKeyRow,
  toAuditRow,
  toClientRow,
  toEventRow,
  toSubscriptionRow,
  toVerificationRow,
} from '../rows/rows.ts';
import {
  fromAttemptRow,
  fromDeliveryRow,
  fromEndpointRow,
  toAttemptRow,
  toEndpointRow,
} from '../rows/webhook-rows.ts';
import {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
} from '../schema.ts';
import { rowsOf } from '../tables/dialect.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../webhook-tables.ts';

/** A row by the names of its columns in the schema, in their order. */
type Row<T extends SQLiteTable = SQLiteTable> = T['$inferSelect'];

/** How entries of one kind are stored. Reading and writing are derived from it. */
export interface CopiedTable<Entry> {
  readonly table: SQLiteTable;
  /** The columns of the entry's transfer key, in its order. They are the beginning of an index. */
  readonly key: readonly SQLiteColumn[];
  /** A second table with at most one row for each row of the first. */
  readonly joined?: { readonly table: SQLiteTable; readonly on: SQL };
  /** Columns that the statement computes when it inserts a row. */
  readonly computed?: Readonly<Record<string, SQL>>;
  fromRow(row: Row, joined: Row | null): Entry;
  /** The rows to insert, in their order. */
  toRows(entry: Entry): readonly { readonly table: SQLiteTable; readonly row: Row }[];
}

/** Every table of the schema belongs to one kind. */
export const COPIED_TABLES: { readonly [K in TransferKind]: CopiedTable<TransferEntries[K]> } = {
  clients: {
    table: clients,
    key: [clients.id],
    joined: { table: subscriptions, on: eq(subscriptions.clientId, clients.id) },
    fromRow: (row, joined) => ({
      client: fromClientRow(row as Row<typeof clients>),
      subscription: fromSubscriptionRow(joined as Row<typeof subscriptions> | null),
    }),
    toRows: ({ client, subscription }) => [
      { table: clients, row: toClientRow(client) },
      ...(subscription === null
        ? []
        : [{ table: subscriptions, row: toSubscriptionRow(client.id, subscription) }]),
    ],
  },
  clientFaces: copied(clientFaces, {
    key: [clientFaces.clientId],
    fromRow: fromAppearanceEntryRow,
    toRow: toAppearanceEntryRow,
  }),
  clientRetention: copied(clientRetention, {
    key: [clientRetention.clientId],
    fromRow(row) {
      const { clientId, policy } = fromClientRetentionRow(row.clientId, row);
      return { clientId, policy };
    },
    toRow: ({ clientId, policy }) => ({
      clientId,
      policy: policyText(policy),
      plannedBy: null,
      plannedAfter: null,
    }),
  }),
  usage: copied(usage, {
    key: [usage.clientId, usage.month],
    fromRow: (row) => ({ ...row }),
    toRow: (entry) => entry,
  }),
  verifications: copied(verifications, {
    key: [verifications.id],
    fromRow: (row) => fromVerificationRow(Object.values(row)),
    toRow: toVerificationRow,
  }),
  events: copied(verificationEvents, {
    key: [verificationEvents.verificationId, verificationEvents.version, verificationEvents.id],
    fromRow: (row) => ({ event: fromEventRow(row), unsent: row.unsent !== null }),
    toRow: ({ event, unsent }) => ({ ...toEventRow(event), unsent: unsent ? 1 : null }),
  }),
  exports: copied(exportRequests, {
    key: [exportRequests.clientId, exportRequests.id],
    fromRow: fromExportRow,
    toRow: toExportRow,
  }),
  mails: derived(mails, tables.mails),
  mailBudgets: derived(mailBudgets, tables.mailBudgets),
  webhookEndpoints: {
    ...copied(webhookEndpoints, {
      key: [webhookEndpoints.clientId, webhookEndpoints.id],
      fromRow: fromEndpointRow,
      toRow: (endpoint) => ({ ...toEndpointRow(endpoint), slot: 0 }),
    }),
    computed: { slot: freeSlot(webhookEndpoints, MAX_WEBHOOK_ENDPOINTS) },
  },
  webhookDeliveries: copied(webhookDeliveries, {
    key: [webhookDeliveries.clientId, webhookDeliveries.endpointId, webhookDeliveries.eventId],
    fromRow: (row) => ({ clientId: row.clientId, ...fromDeliveryRow(row) }),
    toRow: ({ at, dueAt, ...same }) => ({ ...same, at: at.getTime(), dueAt: dueAt?.getTime() ?? null }),
  }),
  webhookAttempts: copied(webhookAttempts, {
    key: [webhookAttempts.clientId, webhookAttempts.endpointId, webhookAttempts.eventId, webhookAttempts.id],
    fromRow: (row) => {
      const { clientId, endpointId, eventId } = row;
      return { clientId, endpointId, eventId, ...fromAttemptRow(row) };
    },
    toRow: (entry) => toAttemptRow(entry, entry),
  }),
  erasures: copied(erasures, { key: [erasures.number], fromRow: fromErasureRow, toRow: toErasureRow }),
  erasureLogs: copied(erasureLogs, {
    key: [erasureLogs.id],
    fromRow: ({ logId }) => ({ id: logId }),
    toRow: ({ id }) => ({ id: 1, logId: id }),
  }),
  retentionRuns: copied(retentionRuns, {
    key: [retentionRuns.id],
    fromRow: fromRetentionRunRow,
    toRow: toRetentionRunRow,
  }),
  audit: copied(auditEntries, { key: [auditEntries.sequence], fromRow: fromAuditRow, toRow: toAuditRow }),
  apiKeys: copied(apiKeys, {
    key: [apiKeys.clientId, apiKeys.id],
    fromRow: fromApiKeyRow,
    // Slots are assigned at the end, when all keys of a client are there.
    toRow: (key) => ({ ...toApiKeyRow(key), slot: null }),
  }),
};

/** An entry that is one row of a table. */
function derived<Entry, C>(table: SQLiteTable, definition: tables.Table<Entry, C>): CopiedTable<Entry> {
  const columns = getTableColumns(table);
  const { toRow, fromRow } = rowsOf(definition);
  return {
    table,
    key: definition.key.map((field) => columns[field] as SQLiteColumn),
    fromRow,
    toRows: (entry) => [{ table, row: toRow(entry) }],
  };
}

/** An entry that is one row. */
function copied<Entry, T extends SQLiteTable>(
  table: T,
  {
    key,
    fromRow,
    toRow,
  }: { key: readonly SQLiteColumn[]; fromRow(row: Row<T>): Entry; toRow(entry: Entry): Row<T> },
): CopiedTable<Entry> {
  return {
    table,
    key,
    fromRow: (row) => fromRow(row),
    toRows: (entry) => [{ table, row: toRow(entry) }],
  };
}
