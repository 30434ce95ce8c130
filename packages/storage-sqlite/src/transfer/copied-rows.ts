import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { TransferKey, TransferSource, TransferTarget } from '@countersign/domain/storage';
import { createShapes, insertInto, list, pagesByKey } from '@countersign/statements';
import { type Compiled, compile, compileRows, fieldsOf } from '../connection/compiled.ts';
import type { Connection } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { getTableColumns, getTableName, sql } from '../drizzle.ts';
import { apiKeys } from '../schema.ts';
import { webhookDeliveries, webhookEndpoints } from '../webhook-tables.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';

/** Reads the rows of every table, in the order of their transfer keys. */
export function createTransferReader({ connection, read }: Session): TransferSource {
  const pages = createShapes<Pages>();
  return {
    count: (kind) =>
      read(() => {
        const count = compile(connection, sql`select count(*) from ${COPIED_TABLES[kind].table}`);
        return Number(count.get()?.[0]);
      }),
    read: (kind, after, limit) =>
      read(() => {
        const page = pages(kind, () => compilePages(connection, COPIED_TABLES[kind]));
        return page(after, limit).map(({ row, joined }) => COPIED_TABLES[kind].fromRow(row, joined));
      }),
  };
}

type Row = Record<string, unknown>;
type Pages = (
  after: TransferKey | null,
  limit: number,
) => readonly { readonly row: Row; readonly joined: Row | null }[];

/** The columns of two joined tables have different names. Those of the second are all null if it has no row. */
function compilePages(
  connection: Connection,
  { table, key, joined }: Pick<CopiedTable<never>, 'table' | 'key' | 'joined'>,
): Pages {
  const columns = joined === undefined ? fieldsOf(table) : list([fieldsOf(table), fieldsOf(joined.table)]);
  const from = joined === undefined ? sql`${table}` : sql`${table} left join ${joined.table} on ${joined.on}`;
  const pages = pagesByKey(sql`select ${columns} from ${from}`, key);
  const [first, next] = [compileRows<Row>(connection, pages.first), compileRows<Row>(connection, pages.next)];
  const [joinedKey = ''] = Object.keys(joined === undefined ? {} : getTableColumns(joined.table));
  return (after, limit) =>
    (after === null ? first.all({ limit }) : next.all({ ...after, limit })).map((row) => ({
      row,
      joined: (row[joinedKey] ?? null) === null ? null : row,
    }));
}

/** Writes a batch as one savepoint of one commit: all of it or nothing. */
export function createTransferWriter({ connection, write }: Session): TransferTarget['write'] {
  const statements = createShapes<Compiled>();
  return (kind, entries) =>
    write(() => {
      const { computed, toRows } = COPIED_TABLES[kind];
      for (const entry of entries) {
        for (const { table, row } of toRows(entry)) {
          statements(getTableName(table), () => compile(connection, insertInto(table, computed))).run(row);
        }
      }
      return { keep: true, value: undefined };
    });
}

/** Sets when each endpoint is due: with its first waiting delivery. */
export function assignDueTimes({ connection }: Pick<Session, 'connection'>): void {
  compile(
    connection,
    sql`
    update ${webhookEndpoints} set due_at = (
      select min(due_at) from ${webhookDeliveries}
      where ${webhookDeliveries.endpointId} = ${webhookEndpoints.id} and ${webhookDeliveries.dueAt} is not null
    )`,
  ).run();
}

/**
 * Assigns a slot to every key that may be active: of those not revoked, the ones that expire last, up to the number of
 * slots. No more than that can be active. Expired keys release their slot when the next key is issued.
 */
export function assignKeySlots({ connection }: Pick<Session, 'connection'>): void {
  compile(
    connection,
    sql`
    update ${apiKeys} set slot = ranked.slot
    from (
      select client_id, id, row_number() over (
        partition by client_id order by expires_at is null desc, expires_at desc, id
      ) as slot
      from ${apiKeys} where revoked_at is null
    ) as ranked
    where ranked.slot <= ${sql.raw(String(MAX_ACTIVE_KEYS))}
      and ranked.client_id = ${apiKeys.clientId} and ranked.id = ${apiKeys.id}`,
  ).run();
}
