import { parseRow, type TransferEntries, type TransferKind } from '@countersign/domain/storage';
import * as tables from '@countersign/tables';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { getTableColumns, sql } from '../drizzle.ts';
import { fromAppearanceEntryRow, toAppearanceEntryRow } from '../rows/appearance-rows.ts';
import { fromExportRow, toExportRow } from '../rows/export-rows.ts';
import { momentText, momentTextOrNull, parseInteger, parseText, type Row } from '../rows/parse-row.ts';
import {
  fromClientRetentionRow,
  fromErasureRow,
  fromRetentionRunRow,
  toErasureRow,
  toRetentionRunRow,
} from '../rows/retention-rows.ts';
import {
  CLIENT_COLUMNS,
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
import { fromAttemptRow, fromDeliveryRow, fromEndpointRow, toEndpointRow } from '../rows/webhook-rows.ts';
import {
  apiKeys,
  auditEntries,
  clientFaces,
  clientRetention,
  clients,
  erasureLogs,
  erasures,
  exportRequests,
  mailBudgets,
  mails,
  retentionRuns,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
} from '../schema.ts';

import { jsonRowsOf } from '../tables/dialect.ts';

/** How entries of one kind are stored. Statements for reading and writing are derived from it. */
export interface CopiedTable<Entry> {
  readonly table: PgTable;
  /** The columns of the entry's transfer key, in its order. They are the beginning of an index. */
  readonly key: readonly SQL[];
  /** A second table with at most one row for each row of the first. Its columns follow in a row, all null without one. */
  readonly joined?: { readonly table: PgTable; readonly on: SQL };
  /** Statements of the pages where no index of the table begins with the key. */
  readonly pages?: { readonly first: Statement; readonly next: Statement };
  /** @param row columns in the order of the schema */
  fromRow(row: Row): Entry;
  /** Columns by their names in the schema; JSON columns hold their value, not its text. */
  toRow(entry: Entry): object;
  toJoinedRow?(entry: Entry): object | null;
}

/** Every table of the schema belongs to one kind. */
export const COPIED_TABLES: { readonly [K in TransferKind]: CopiedTable<TransferEntries[K]> } = {
  clients: {
    table: clients,
    key: [sql`${clients.id}`],
    joined: { table: subscriptions, on: sql`${subscriptions.clientId} = ${clients.id}` },
    fromRow: (row) => ({ client: fromClientRow(row), subscription: fromSubscriptionRow(row, CLIENT_COLUMNS) }),
    toRow: ({ client }) => ({ ...toClientRow(client), returnAddresses: client.returnAddresses }),
    toJoinedRow: ({ client, subscription }) =>
      subscription && { clientId: client.id, ...toSubscriptionRow(subscription) },
  },
  clientFaces: {
    table: clientFaces,
    key: [sql`${clientFaces.clientId}`],
    fromRow: fromAppearanceEntryRow,
    toRow: toAppearanceEntryRow,
  },
  clientRetention: {
    table: clientRetention,
    key: [sql`${clientRetention.clientId}`],
    fromRow(row) {
      const { clientId, policy } = fromClientRetentionRow(row);
      return { clientId, policy };
    },
    toRow: (entry) => ({ ...entry, plannedBy: null, plannedAfter: null }),
  },
  usage: {
    table: usage,
    key: [sql`${usage.clientId}`, sql`${usage.month}`],
    fromRow: (row) =>
      parseRow('usage of the client', row[0], () => ({
        clientId: parseText('client_id', row[0]),
        month: parseText('month', row[1]),
        used: parseInteger('used', row[2]),
        allowance: parseInteger('allowance', row[3]),
      })),
    toRow: (entry) => entry,
  },
  verifications: {
    table: verifications,
    key: [sql`${verifications.id}`],
    fromRow: fromVerificationRow,
    toRow(record) {
      const { metadata, answers, reviewData, notify } = record;
      return { ...toVerificationRow(record), metadata, answers, reviewData, notify };
    },
  },
  events: {
    table: verificationEvents,
    key: [
      sql`${verificationEvents.verificationId}`,
      sql`${verificationEvents.version}`,
      sql`${verificationEvents.id}`,
    ],
    pages: {
      first: eventsPage({ verifications: sql`true`, events: sql`true` }),
      next: eventsPage({
        verifications: sql`${verifications.id} >= ${parameter('0')}`,
        events: sql`(${verifications.id} > ${parameter('0')} or (version, id) > (${parameter('1')}, ${parameter('2')}))`,
      }),
    },
    fromRow: (row) => ({ event: fromEventRow(row), unsent: row[14] !== null }),
    toRow: ({ event, unsent }) => ({ ...toEventRow(event), data: event.data, unsent: unsent ? true : null }),
  },
  exports: {
    table: exportRequests,
    key: [sql`${exportRequests.clientId}`, sql`${exportRequests.id}`],
    fromRow: fromExportRow,
    toRow: toExportRow,
  },
  mails: derived(mails, tables.mails),
  mailBudgets: derived(mailBudgets, tables.mailBudgets),
  webhookEndpoints: {
    table: webhookEndpoints,
    key: [sql`${webhookEndpoints.clientId}`, sql`${webhookEndpoints.id}`],
    fromRow: fromEndpointRow,
    // Slots are assigned at the end, when all endpoints of a client are there, and so is when an endpoint is due.
    toRow: (endpoint) => ({ ...toEndpointRow(endpoint), types: endpoint.types, wakes: 0 }),
  },
  webhookDeliveries: {
    table: webhookDeliveries,
    key: [
      sql`${webhookDeliveries.clientId}`,
      sql`${webhookDeliveries.endpointId}`,
      sql`${webhookDeliveries.eventId}`,
    ],
    fromRow: (row) => ({ clientId: parseText('client_id', row[0]), ...fromDeliveryRow(row) }),
    toRow: ({ at, dueAt, ...same }) => ({ ...same, at: momentText(at), dueAt: momentTextOrNull(dueAt) }),
  },
  webhookAttempts: {
    table: webhookAttempts,
    key: [
      sql`${webhookAttempts.clientId}`,
      sql`${webhookAttempts.endpointId}`,
      sql`${webhookAttempts.eventId}`,
      sql`${webhookAttempts.id}`,
    ],
    fromRow: (row) => ({
      clientId: parseText('client_id', row[0]),
      endpointId: parseText('endpoint_id', row[1]),
      eventId: parseText('event_id', row[2]),
      ...fromAttemptRow(row),
    }),
    toRow: ({ at, ...same }) => ({ ...same, at: momentText(at) }),
  },
  erasures: {
    table: erasures,
    key: [sql`${erasures.number}`],
    fromRow: fromErasureRow,
    toRow: toErasureRow,
  },
  erasureLogs: {
    table: erasureLogs,
    key: [sql`${erasureLogs.id}`],
    fromRow: (row) => parseRow('erasure log', row[0], () => ({ id: parseText('log_id', row[1]) })),
    toRow: ({ id }) => ({ id: 1, logId: id }),
  },
  retentionRuns: {
    table: retentionRuns,
    key: [sql`${retentionRuns.id}`],
    fromRow: fromRetentionRunRow,
    toRow: toRetentionRunRow,
  },
  audit: {
    table: auditEntries,
    key: [sql`${auditEntries.sequence}`],
    fromRow: fromAuditRow,
    toRow: (entry) => ({ ...toAuditRow(entry), detail: entry.detail }),
  },
  apiKeys: {
    table: apiKeys,
    key: [sql`${apiKeys.clientId}`, sql`${apiKeys.id}`],
    fromRow: fromApiKeyRow,
    // Slots are assigned at the end, when all keys of a client are there.
    toRow: (key) => ({
      ...toApiKeyRow(key),
      permissions: key.permissions,
      networks: key.networks.length === 0 ? null : key.networks,
      slot: null,
    }),
  },
};

/** An entry that is one row of a table. */
function derived<Entry, C>(table: PgTable, definition: tables.Table<Entry, C>): CopiedTable<Entry> {
  const columns = getTableColumns(table);
  const { toRow, fromRow } = jsonRowsOf(definition);
  return {
    table,
    key: definition.key.map((field) => sql`${columns[field]}`),
    fromRow,
    toRow: (entry) => toRow(entry) as object,
  };
}

/**
 * All indexes of events begin with the client, none with the verification. So the statement goes through the verifications
 * and looks up the events of each: `offset 0` keeps the planner from joining the whole tables for every page.
 */
function eventsPage(after: { verifications: SQL; events: SQL }): Statement {
  return statementOf(sql`
    select event.* from ${verifications}, lateral (
      select ${columnsOf(verificationEvents)} from ${verificationEvents}
      where ${verificationEvents.clientId} = ${verifications.clientId}
        and ${verificationEvents.verificationId} = ${verifications.id} and ${after.events}
      offset 0
    ) as event
    where ${after.verifications}
    order by ${verifications.id}, event.version, event.id limit ${parameter('limit')}`);
}
