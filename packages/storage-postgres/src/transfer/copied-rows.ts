import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { TransferKey, TransferSource, TransferTarget } from '@countersign/domain/storage';
import { list, pagesByKey } from '@countersign/statements';
import type { Session } from '../connection/session.ts';
import { columnsOf, insertFromJson, type Statement, statementOf } from '../connection/statement.ts';
import { MIGRATIONS_TABLE, UNFINISHED_COPY } from '../database/migrations.ts';
import { sql } from '../drizzle.ts';
import { parseInteger } from '../rows/parse-row.ts';
import { apiKeys, webhookDeliveries, webhookEndpoints } from '../schema.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';

/** The statements that read and write the entries of one kind. */
interface Statements {
  readonly count: Statement;
  readonly first: Statement;
  readonly next: Statement;
  readonly insert: Statement;
}

const STATEMENTS = new Map(Object.entries(COPIED_TABLES).map(([kind, table]) => [kind, statementsOf(table)]));

function statementsFor(kind: string): Statements {
  const statements = STATEMENTS.get(kind);
  if (statements === undefined) throw new Error(`no table is copied as ${kind}`);
  return statements;
}

/** Reads the rows of every table, in the order of their transfer keys. */
export function createTransferReader({ read }: Session): TransferSource {
  return {
    async count(kind) {
      const [row] = await read(statementsFor(kind).count, {});
      return parseInteger('count', Number(row?.[0]));
    },
    async read(kind, after, limit) {
      const { first, next } = statementsFor(kind);
      const rows = await (after === null ? read(first, { limit }) : read(next, { ...keyValues(after), limit }));
      return rows.map((row) => COPIED_TABLES[kind].fromRow(row));
    },
  };
}

/** The parts of a key, by the names of their places. */
function keyValues(key: TransferKey): Record<string, string | number> {
  return Object.fromEntries(key.entries());
}

/** Writes a batch as one statement: all of it or nothing. */
export function createTransferWriter({ write }: Session): TransferTarget['write'] {
  return async (kind, entries) => {
    const { toRow, toJoinedRow } = COPIED_TABLES[kind];
    await write(statementsFor(kind).insert, {
      entry: JSON.stringify(entries.map(toRow)),
      joined: JSON.stringify(entries.flatMap((entry) => toJoinedRow?.(entry) ?? [])),
    });
  };
}

type Shape = Pick<CopiedTable<never>, 'table' | 'key' | 'joined' | 'pages'>;

function statementsOf({ table, key, joined, pages }: Shape): Statements {
  const columns = joined === undefined ? columnsOf(table) : list([columnsOf(table), columnsOf(joined.table)]);
  const from = joined === undefined ? sql`${table}` : sql`${table} left join ${joined.table} on ${joined.on}`;
  const byKey = pagesByKey(sql`select ${columns} from ${from}`, key);
  return {
    count: statementOf(sql`select count(*) from ${table}`),
    first: pages?.first ?? statementOf(byKey.first),
    next: pages?.next ?? statementOf(byKey.next),
    // References are checked when the statement ends, so the order of the rows makes no difference.
    insert: statementOf(
      joined === undefined
        ? insertFromJson(table, 'entry')
        : sql`with joined_rows as (${insertFromJson(joined.table, 'joined')}) ${insertFromJson(table, 'entry')}`,
    ),
  };
}

const MIGRATIONS = sql.identifier(MIGRATIONS_TABLE);
const MARK = sql.raw(String(UNFINISHED_COPY));

/** Marks the database as an unfinished copy: only the copy may open it from here on. */
export const BEGIN: Statement = statementOf(sql`
  insert into ${MIGRATIONS} (created_at, name, hash) values (${MARK}, 'unfinished copy', '') on conflict do nothing`);

/**
 * Removes the mark and assigns a slot to every key that may be active: of those not revoked, the ones that expire last,
 * up
 * to the number of slots. No more than that can be active. Expired keys release their slot when the next key is issued.
 * Every endpoint of webhooks gets a slot, and is due with its first waiting delivery.
 */
export const FINISH: Statement = statementOf(sql`
  with finished as (
    delete from ${MIGRATIONS} where created_at = ${MARK} returning 1
  ), endpoints as (
    update ${webhookEndpoints} set slot = ranked.slot, due_at = ranked.due_at
    from (
      select client_id, id, row_number() over (partition by client_id order by created_at, id) as slot, (
        select min(delivery.due_at) from ${webhookDeliveries} as delivery
        where delivery.client_id = endpoint.client_id and delivery.endpoint_id = endpoint.id and delivery.state = 'waiting'
      ) as due_at
      from ${webhookEndpoints} as endpoint
    ) as ranked
    where exists (select 1 from finished)
      and ranked.client_id = ${webhookEndpoints.clientId} and ranked.id = ${webhookEndpoints.id}
  )
  update ${apiKeys} set slot = ranked.slot
  from (
    select client_id, id, row_number() over (
      partition by client_id order by expires_at desc nulls first, id
    ) as slot
    from ${apiKeys} where revoked_at is null
  ) as ranked
  where ranked.slot <= ${sql.raw(String(MAX_ACTIVE_KEYS))} and exists (select 1 from finished)
    and ranked.client_id = ${apiKeys.clientId} and ranked.id = ${apiKeys.id}`);

/** Updates the planner's statistics, which Postgres itself would do only after a minute. */
export const ANALYZE: Statement = statementOf(
  sql`analyze ${sql.join(
    Object.values(COPIED_TABLES).flatMap(({ table, joined }: Shape) => [
      sql`${table}`,
      ...(joined === undefined ? [] : [sql`${joined.table}`]),
    ]),
    sql`, `,
  )}`,
);
