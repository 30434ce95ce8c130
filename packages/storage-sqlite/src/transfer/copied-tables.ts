import type { TransferEntries, TransferKind } from '@countersign/domain/storage';
import { MAX_WEBHOOK_ENDPOINTS } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { clientFaces } from '../appearance-tables.ts';
import { eq, getTableColumns } from '../drizzle.ts';
import { exportRequests } from '../export-tables.ts';
import { handOverCodes } from '../hand-over-tables.ts';
import { indexEntries, indexedVerifications, indexKeys } from '../index-tables.ts';
import { mailBudgets, mails } from '../mail-tables.ts';
import { readings } from '../reading-tables.ts';
import { freeSlot } from '../repositories/free-slot.ts';
import { clientRetention, erasureLogs, erasures, retentionRuns } from '../retention-tables.ts';
import * as own from '../rows/own-columns.ts';
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
import { clientRows, subscriptionOf, subscriptionRows } from '../tables/rows.ts';
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
    fromRow: (row, joined) => ({ client: clientRows.fromRow(row), subscription: subscriptionOf(joined) }),
    toRows: ({ client, subscription }) => [
      { table: clients, row: clientRows.toRow(client) },
      ...(subscription === null
        ? []
        : [{ table: subscriptions, row: subscriptionRows.toRow(subscription, { clientId: client.id }) }]),
    ],
  },
  clientFaces: copied(clientFaces, tables.clientFaces),
  clientRetention: copied(clientRetention, tables.clientRetention, tables.CLIENT_RETENTION_COPY),
  usage: copied(usage, tables.usage),
  verifications: copied(verifications, own.verifications),
  events: copied(verificationEvents, own.verificationEvents, tables.EVENT_COPY),
  exports: copied(exportRequests, tables.exportRequests),
  handOvers: copied(handOverCodes, tables.handOverCodes),
  readings: copied(readings, tables.readings),
  indexKeys: copied(indexKeys, tables.indexKeys),
  indexedVerifications: copied(indexedVerifications, tables.indexedVerifications),
  indexEntries: copied(indexEntries, tables.indexEntries),
  mails: copied(mails, tables.mails),
  mailBudgets: copied(mailBudgets, tables.mailBudgets),
  webhookEndpoints: {
    ...copied(webhookEndpoints, own.webhookEndpoints),
    computed: { slot: freeSlot(webhookEndpoints, MAX_WEBHOOK_ENDPOINTS) },
  },
  webhookDeliveries: copied(webhookDeliveries, tables.webhookDeliveries, tables.DELIVERY_COPY),
  webhookAttempts: copied(webhookAttempts, tables.webhookAttempts, tables.ATTEMPT_COPY),
  erasures: copied(erasures, tables.erasures),
  erasureLogs: copied(erasureLogs, tables.erasureLogs, tables.ERASURE_LOG_COPY),
  retentionRuns: copied(retentionRuns, tables.retentionRuns),
  audit: copied(auditEntries, tables.auditEntries),
  // Slots are assigned at the end, when all keys of a client are there.
  apiKeys: copied(apiKeys, tables.apiKeys),
};

/** An entry that is one row of a table. */
function copied<Stored, C, Copied = Stored>(
  table: SQLiteTable,
  definition: tables.Table<Stored, C>,
  conversion?: tables.CopyConversion<Copied, Stored>,
): CopiedTable<Copied> {
  const columns = getTableColumns(table);
  const { toRow, fromRow } = tables.copyRows(rowsOf(definition), conversion);
  return {
    table,
    key: definition.key.map((field) => columns[field] as SQLiteColumn),
    fromRow,
    toRows: (entry) => [{ table, row: toRow(entry) }],
  };
}
