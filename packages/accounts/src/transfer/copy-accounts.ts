import { isDeepStrictEqual } from 'node:util';
import type { RawBuilder, Sql, Transaction } from 'kysely';
import { type Column, type Columns, type CommonValue, commonValue, storedValue } from '../database/columns.ts';
import { checkAccounts, hasAccounts, migrateAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { type AccountsDatabase, COPIED_TABLES, type StaffDatabase, type Tables } from '../database/tables.ts';
import { AccountsCopyError } from '../errors.ts';

/** The numbers of users of a copy. */
export interface CopiedAccounts {
  readonly rows: number;
  /** Users that were missing in the target. */
  readonly written: number;
}

type StoredRow = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, CommonValue>>;

/**
 * Copies users, passwords, identities, second factors and passkeys into another database, and compares them. Existing rows stay, so an
 * interrupted copy can be run again. The target needs the source's key ring to open second factors.
 * @throws AccountsOpenError; AccountsCopyError if the target holds other rows; nothing is written then
 */
export async function copyAccounts(from: AccountsDatabase, to: AccountsDatabase): Promise<CopiedAccounts> {
  await migrateAccounts(to);
  // The source has no accounts.
  if (!(await hasAccounts(from))) return { rows: 0, written: 0 };
  await checkAccounts(from);
  const { sql } = await import('kysely');
  const source = await openDatabase(from);
  try {
    const target = await openDatabase(to);
    try {
      const read = await readAll(sql, source);
      return await target.transaction().execute((transaction) => writeAll(sql, transaction, read, to.kind));
    } finally {
      await target.destroy();
    }
  } finally {
    await source.destroy();
  }
}

interface Read {
  readonly table: string;
  readonly columns: readonly (readonly [name: string, column: Column])[];
  readonly rows: readonly Row[];
}

async function readAll(sql: Sql, source: StaffDatabase): Promise<Read[]> {
  const all: Read[] = [];
  for (const [table, described] of Object.entries<Columns>(COPIED_TABLES)) {
    const columns = Object.entries(described).filter(([, { ofLink }]) => ofLink !== true);
    const select = sql<StoredRow>`select ${namesOf(sql, columns)} from ${sql.table(table)} order by id`;
    const { rows } = await select.execute(source);
    all.push({ table, columns, rows: rows.map((row) => commonRow(columns, row)) });
  }
  return all;
}

async function writeAll(
  sql: Sql,
  target: Transaction<Tables>,
  all: readonly Read[],
  kind: AccountsDatabase['kind'],
): Promise<CopiedAccounts> {
  let written = 0;
  for (const { table, columns, rows } of all) {
    const [into, names] = [sql.table(table), namesOf(sql, columns)];
    for (const row of rows) {
      const values = sql.join(Object.values(row).map((value) => storedValue(kind, value)));
      const insert = sql`insert into ${into} (${names}) values (${values}) on conflict do nothing`;
      const { numAffectedRows } = await insert.execute(target);
      if (table === 'staff_users') written += Number(numAffectedRows ?? 0n);
      const { rows: kept } = await sql<StoredRow>`select ${names} from ${into} where id = ${row.id}`.execute(
        target,
      );
      if (kept[0] === undefined || !isDeepStrictEqual(commonRow(columns, kept[0]), row)) {
        const what = `${table} ${String(row.id)} differs`;
        throw new AccountsCopyError(`The target has other accounts than the source: ${what}`);
      }
    }
  }
  return { rows: all[0]?.rows.length ?? 0, written };
}

function namesOf(sql: Sql, columns: Read['columns']): RawBuilder<unknown> {
  return sql.join(columns.map(([name]) => sql.ref(name)));
}

function commonRow(columns: Read['columns'], row: StoredRow): Row {
  return Object.fromEntries(columns.map(([name, column]) => [name, commonValue(column, row[name])]));
}
