import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { TransferKey, TransferSource, TransferTarget } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Compiled, columnParameters, compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { asc, count, sql } from '../drizzle.ts';
import { apiKeys } from '../schema.ts';
import { webhookDeliveries, webhookEndpoints } from '../webhook-tables.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';

/** Reads the rows of every table, in the order of their transfer keys. */
export function createTransferReader(session: Session): TransferSource {
  const { db, read } = session;
  const readers = new Map<string, Pages>();

  function pagesOf(kind: keyof typeof COPIED_TABLES): Pages {
    const pages = readers.get(kind) ?? preparePages(session, COPIED_TABLES[kind]);
    readers.set(kind, pages);
    return pages;
  }

  return {
    count: (kind) => read(() => db.select({ rows: count() }).from(COPIED_TABLES[kind].table).get()?.rows ?? 0),
    read: (kind, after, limit) =>
      read(() =>
        pagesOf(kind)(after, limit).map(({ row, joined = null }) => COPIED_TABLES[kind].fromRow(row, joined)),
      ),
  };
}

interface JoinedRow {
  readonly row: Record<string, unknown>;
  readonly joined?: Record<string, unknown> | null;
}
type Pages = (after: TransferKey | null, limit: number) => readonly JoinedRow[];

/** Prepares a statement for the first page and one for later pages, which begin in the index of the key's columns. */
function preparePages(
  { db }: Pick<Session, 'db'>,
  { table, key, joined }: Pick<CopiedTable<never>, 'table' | 'key' | 'joined'>,
): Pages {
  const list = (parts: readonly SQL[]): SQL => sql`(${sql.join([...parts], sql`, `)})`;
  const after = sql`${list(key.map((column) => sql`${column}`))} > ${list(key.map((_, index) => parameter(String(index))))}`;

  function prepare(where: SQL | undefined) {
    const rows =
      joined === undefined
        ? db.select({ row: table }).from(table).$dynamic()
        : db.select({ row: table, joined: joined.table }).from(table).leftJoin(joined.table, joined.on).$dynamic();
    return rows
      .where(where)
      .orderBy(...key.map((column) => asc(column)))
      .limit(sql.placeholder('limit'))
      .prepare();
  }

  const [first, next] = [prepare(undefined), prepare(after)];
  return (start, limit) => (start === null ? first.all({ limit }) : next.all({ ...start, limit }));
}

/** Writes a batch as one savepoint of one commit: all of it or nothing. */
export function createTransferWriter({ db, connection, write }: Session): TransferTarget['write'] {
  const inserts = new Map<SQLiteTable, Compiled>();

  function insertInto(table: SQLiteTable, computed: Readonly<Record<string, SQL>> = {}): Compiled {
    const values = { ...columnParameters(table), ...computed };
    const insert = inserts.get(table) ?? compile(connection, db.insert(table).values(values));
    inserts.set(table, insert);
    return insert;
  }

  return (kind, entries) =>
    write(() => {
      const { computed } = COPIED_TABLES[kind];
      for (const entry of entries) {
        for (const { table, row } of COPIED_TABLES[kind].toRows(entry)) insertInto(table, computed).run(row);
      }
      return { keep: true, value: undefined };
    });
}

/** Sets when each endpoint is due: with its first waiting delivery. */
export function assignDueTimes({ db }: Pick<Session, 'db'>): void {
  db.run(sql`
    update ${webhookEndpoints} set due_at = (
      select min(due_at) from ${webhookDeliveries}
      where ${webhookDeliveries.endpointId} = ${webhookEndpoints.id} and ${webhookDeliveries.dueAt} is not null
    )`);
}

/**
 * Assigns a slot to every key that may be active: of those not revoked, the ones that expire last, up to the number of
 * slots. No more than that can be active. Expired keys release their slot when the next key is issued.
 */
export function assignKeySlots({ db }: Pick<Session, 'db'>): void {
  db.run(sql`
    update ${apiKeys} set slot = ranked.slot
    from (
      select client_id, id, row_number() over (
        partition by client_id order by expires_at is null desc, expires_at desc, id
      ) as slot
      from ${apiKeys} where revoked_at is null
    ) as ranked
    where ranked.slot <= ${sql.raw(String(MAX_ACTIVE_KEYS))}
      and ranked.client_id = ${apiKeys.clientId} and ranked.id = ${apiKeys.id}`);
}
