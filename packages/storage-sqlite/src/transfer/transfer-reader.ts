import type { TransferEntries, TransferKey, TransferKind, TransferSource } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { parameter } from '../connection/parameters.ts';
import type { Session } from '../connection/session.ts';
import { asc, count, eq, sql } from '../drizzle.ts';
import { fromApiKeyRow } from '../rows/api-key-row.ts';
import { fromAuditRow } from '../rows/audit-row.ts';
import { fromClientRow, fromSubscriptionRow } from '../rows/client-row.ts';
import { fromEventRow } from '../rows/event-row.ts';
import { moment, momentOrNull, parseRow } from '../rows/parse-row.ts';
import { fromVerificationRow } from '../rows/verification-row.ts';
import {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
} from '../schema/index.ts';

/** How the entries of a kind are read. */
interface Reader<Entry> {
  readonly table: SQLiteTable;
  page(after: TransferKey | null, limit: number): Entry[];
}

export function createTransferReader(session: Session): TransferSource {
  const readers = createReaders(session);
  return {
    count: (kind) =>
      session.read(() => session.db.select({ rows: count() }).from(readers[kind].table).get()?.rows ?? 0),
    read: (kind, after, limit) => session.read(() => readers[kind].page(after, limit)),
  };
}

function createReaders({ db }: Session): { readonly [K in TransferKind]: Reader<TransferEntries[K]> } {
  return {
    clients: {
      table: clients,
      page: pages([clients.id], (after, order) =>
        db
          .select({ client: clients, subscription: subscriptions })
          .from(clients)
          .leftJoin(subscriptions, eq(subscriptions.clientId, clients.id))
          .where(after)
          .orderBy(...order)
          .limit(LIMIT)
          .prepare(),
      )(({ client, subscription }) => ({
        client: fromClientRow(client),
        subscription: fromSubscriptionRow(subscription),
      })),
    },
    usage: {
      table: usage,
      page: pages([usage.clientId, usage.month], (after, order) =>
        db
          .select()
          .from(usage)
          .where(after)
          .orderBy(...order)
          .limit(LIMIT)
          .prepare(),
      )((row) => ({ ...row })),
    },
    verifications: {
      table: verifications,
      page: pages([verifications.id], (after, order) => {
        const page = db
          .select()
          .from(verifications)
          .where(after)
          .orderBy(...order)
          .limit(LIMIT)
          .prepare();
        return { all: (values) => page.values(values) };
      })(fromVerificationRow),
    },
    events: {
      table: verificationEvents,
      page: pages(
        [verificationEvents.verificationId, verificationEvents.version, verificationEvents.id],
        (after, order) =>
          db
            .select()
            .from(verificationEvents)
            .where(after)
            .orderBy(...order)
            .limit(LIMIT)
            .prepare(),
      )((row) => ({ event: fromEventRow(row), delivery: deliveryOf(row) })),
    },
    audit: {
      table: auditEntries,
      page: pages([auditEntries.sequence], (after, order) =>
        db
          .select()
          .from(auditEntries)
          .where(after)
          .orderBy(...order)
          .limit(LIMIT)
          .prepare(),
      )(fromAuditRow),
    },
    apiKeys: {
      table: apiKeys,
      page: pages([apiKeys.clientId, apiKeys.id], (after, order) =>
        db
          .select()
          .from(apiKeys)
          .where(after)
          .orderBy(...order)
          .limit(LIMIT)
          .prepare(),
      )(fromApiKeyRow),
    },
  };
}

const LIMIT = sql.placeholder('limit');

interface Prepared<Row> {
  all(values: Record<string, unknown>): Row[];
}

/** A statement for the first page and one for those after a key, which begin in the index of the key's columns. */
function pages<Row>(
  columns: readonly SQLiteColumn[],
  prepare: (after: SQL | undefined, order: SQL[]) => Prepared<Row>,
): <Entry>(parse: (row: Row) => Entry) => (after: TransferKey | null, limit: number) => Entry[] {
  const list = (parts: readonly SQL[]): SQL => sql`(${sql.join([...parts], sql`, `)})`;
  const after = sql`${list(columns.map((column) => sql`${column}`))} > ${list(columns.map((_, index) => parameter(String(index))))}`;
  const order = columns.map((column) => asc(column));
  const [first, next] = [prepare(undefined, order), prepare(after, order)];
  return (parse) => (key, limit) =>
    (key === null ? first.all({ limit }) : next.all({ ...key, limit })).map((row) => parse(row));
}

function deliveryOf(row: typeof verificationEvents.$inferSelect): TransferEntries['events']['delivery'] {
  return parseRow('event', row.id, () => ({
    availableAt: moment('available_at', row.availableAt),
    attempts: row.attempts,
    deliveredAt: momentOrNull('delivered_at', row.deliveredAt),
  }));
}
