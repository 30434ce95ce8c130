import type { TransferEntries, TransferKind } from '@countersign/domain/storage';
import * as tables from '@countersign/tables';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { getTableColumns, sql } from '../drizzle.ts';
import type { Row } from '../rows/parse-row.ts';
import {
  apiKeys,
  auditEntries,
  clientFaces,
  clientRetention,
  clients,
  erasureLogs,
  erasures,
  exportRequests,
  handOverCodes,
  indexEntries,
  indexedVerifications,
  indexKeys,
  mailBudgets,
  mails,
  readings,
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
import * as own from '../tables/own-columns.ts';
import { clientJson, entryOf, subscriptionRows } from '../tables/rows.ts';

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
    fromRow: entryOf,
    toRow: ({ client }) => clientJson.toRow(client),
    toJoinedRow: ({ client, subscription }) =>
      subscription && subscriptionRows.toRow(subscription, { clientId: client.id }),
  },
  clientFaces: copied(clientFaces, tables.clientFaces),
  clientRetention: copied(clientRetention, tables.clientRetention, tables.CLIENT_RETENTION_COPY),
  usage: copied(usage, tables.usage),
  verifications: copied(verifications, tables.verifications),
  events: {
    ...copied(verificationEvents, own.verificationEvents, tables.EVENT_COPY),
    pages: {
      first: eventsPage({ verifications: sql`true`, events: sql`true` }),
      next: eventsPage({
        verifications: sql`${verifications.id} >= ${parameter('0')}`,
        events: sql`(${verifications.id} > ${parameter('0')} or (version, id) > (${parameter('1')}, ${parameter('2')}))`,
      }),
    },
  },
  exports: copied(exportRequests, tables.exportRequests),
  handOvers: copied(handOverCodes, tables.handOverCodes),
  readings: copied(readings, tables.readings),
  indexKeys: copied(indexKeys, tables.indexKeys),
  indexedVerifications: copied(indexedVerifications, tables.indexedVerifications),
  indexEntries: copied(indexEntries, tables.indexEntries),
  mails: copied(mails, tables.mails),
  mailBudgets: copied(mailBudgets, tables.mailBudgets),
  // Slots are assigned at the end, when all endpoints of a client are there, and so is when an endpoint is due.
  webhookEndpoints: copied(webhookEndpoints, own.webhookEndpoints),
  webhookDeliveries: copied(webhookDeliveries, tables.webhookDeliveries, tables.DELIVERY_COPY),
  webhookAttempts: copied(webhookAttempts, tables.webhookAttempts, tables.ATTEMPT_COPY),
  erasures: copied(erasures, tables.erasures),
  erasureLogs: copied(erasureLogs, tables.erasureLogs, tables.ERASURE_LOG_COPY),
  retentionRuns: copied(retentionRuns, tables.retentionRuns),
  audit: copied(auditEntries, own.auditEntries),
  // Slots are assigned at the end, when all keys of a client are there.
  apiKeys: copied(apiKeys, tables.apiKeys),
};

/** An entry that is one row of a table. */
function copied<Stored, C, Copied = Stored>(
  table: PgTable,
  definition: tables.Table<Stored, C>,
  conversion?: tables.CopyConversion<Copied, Stored>,
): CopiedTable<Copied> {
  const columns = getTableColumns(table);
  return {
    table,
    key: definition.key.map((field) => sql`${columns[field]}`),
    ...tables.copyRows(jsonRowsOf(definition), conversion),
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
