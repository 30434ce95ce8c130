import type { TransferEntries, TransferKind, TransferTarget } from '@countersign/domain';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Session } from '../connection/session.ts';
import { columnNames, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { toApiKeyRow } from '../rows/api-key-row.ts';
import { toAuditRow } from '../rows/audit-row.ts';
import { toClientRow, toSubscriptionRow } from '../rows/client-row.ts';
import { toEventRow } from '../rows/event-row.ts';
import { columnsFromJson, rowsFromJson } from '../rows/json-rows.ts';
import { momentText, momentTextOrNull } from '../rows/values.ts';
import { toVerificationRow } from '../rows/verification-row.ts';
import {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
} from '../schema/index.ts';

/** Each batch is one statement, and so all of it or nothing. */
export function createTransferWriter({ write }: Session): TransferTarget['write'] {
  return async (kind, entries) => {
    const { statement, row } = WRITERS[kind];
    const rows = entries.map(row);
    await write(statement, {
      entry: JSON.stringify(rows.map((one) => one.entry)),
      subscription: JSON.stringify(rows.flatMap((one) => one.subscription ?? [])),
    });
  };
}

interface Rows {
  /** Columns by the names of the domain; JSON columns hold their value, not its text. */
  readonly entry: object;
  readonly subscription?: object;
}

interface Writer<Entry> {
  readonly statement: Statement;
  row(entry: Entry): Rows;
}

const WRITERS: { readonly [K in TransferKind]: Writer<TransferEntries[K]> } = {
  clients: {
    // References are checked when the statement ends: what comes first makes no difference.
    statement: statementOf(sql`
      with subscribed as (
        insert into ${subscriptions} (${columnNames(subscriptions)})
        select ${columnsFromJson(subscriptions, 'subscription')} from ${rowsFromJson(subscriptions, 'subscription')}
      )
      ${insertInto(clients)}`),
    row: ({ client, subscription }) => ({
      entry: toClientRow(client),
      ...(subscription !== null && {
        subscription: { clientId: client.id, ...toSubscriptionRow(subscription) },
      }),
    }),
  },
  usage: { statement: statementOf(insertInto(usage)), row: (entry) => ({ entry }) },
  verifications: {
    statement: statementOf(insertInto(verifications)),
    row(record) {
      const { metadata, answers, reviewData } = record;
      return { entry: { ...toVerificationRow(record), metadata, answers, reviewData } };
    },
  },
  events: {
    statement: statementOf(insertInto(verificationEvents)),
    row: ({ event, delivery: { availableAt, attempts, deliveredAt } }) => ({
      entry: {
        ...toEventRow(event),
        data: event.data,
        availableAt: momentText(availableAt),
        attempts,
        deliveredAt: momentTextOrNull(deliveredAt),
      },
    }),
  },
  // References are checked when the statement ends: of a batch, none has to come before the other.
  audit: {
    statement: statementOf(insertInto(auditEntries)),
    row: (entry) => ({ entry: { ...toAuditRow(entry), detail: entry.detail } }),
  },
  apiKeys: {
    // Slots are given in the end, when all keys of a client are there.
    statement: statementOf(insertInto(apiKeys)),
    row: (key) => ({ entry: { ...toApiKeyRow(key), permissions: key.permissions, slot: null } }),
  },
};

function insertInto(table: PgTable) {
  return sql`
    insert into ${table} (${columnNames(table)})
    select ${columnsFromJson(table, 'entry')} from ${rowsFromJson(table, 'entry')}`;
}
