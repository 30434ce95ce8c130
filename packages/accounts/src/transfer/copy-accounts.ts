import type { RawBuilder, Sql, Transaction } from 'kysely';
import { checkAccounts, hasAccounts, migrateAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';
import { AccountsCopyError } from '../errors.ts';

/** How many users a copy holds. */
export interface CopiedAccounts {
  readonly rows: number;
  /** Users that were not in the target before. */
  readonly written: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Copied in this order, because the others refer to the first. Sessions and one-time links are not copied. */
const TABLES = [
  {
    name: 'staff_users',
    columns: [
      'id',
      'name',
      'email',
      'email_verified',
      'image',
      'role',
      'client_id',
      'team_role',
      'two_factor_enabled',
    ],
    dates: ['created_at', 'updated_at'],
    booleans: ['email_verified', 'two_factor_enabled'],
  },
  {
    name: 'staff_accounts',
    columns: ['id', 'user_id', 'account_id', 'provider_id', 'password'],
    dates: ['created_at', 'updated_at'],
    booleans: [],
  },
  {
    name: 'staff_two_factors',
    columns: ['id', 'user_id', 'secret', 'backup_codes', 'verified'],
    dates: [],
    booleans: ['verified'],
  },
] as const;

/**
 * Copies users, passwords and second factors into another database, and compares them. Existing rows stay, so an
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

type Table = (typeof TABLES)[number];

interface Read {
  readonly table: Table;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

async function readAll(sql: Sql, source: StaffDatabase): Promise<Read[]> {
  const all: Read[] = [];
  for (const table of TABLES) {
    const names = [...table.columns, ...table.dates];
    const select = sql<Row>`select ${listOf(sql, names)} from ${sql.table(table.name)} order by id`;
    const { rows } = await select.execute(source);
    all.push({ table, names, rows: rows.map((row) => plain(row, table)) });
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
  for (const { table, names, rows } of all) {
    const [into, columns] = [sql.table(table.name), listOf(sql, names)];
    for (const row of rows) {
      const values = names.map((name) => valueFor(kind, row[name], isOneOf(table.booleans, name)));
      const insert = sql`insert into ${into} (${columns}) values (${sql.join(values)}) on conflict do nothing`;
      const { numAffectedRows } = await insert.execute(target);
      if (table.name === 'staff_users') written += Number(numAffectedRows ?? 0n);
      const kept = await sql<Row>`select ${columns} from ${into} where id = ${row.id}`.execute(target);
      if (!isSame(row, kept.rows[0], table)) {
        const what = `${table.name} ${String(row.id)} differs`;
        throw new AccountsCopyError(`The target has other accounts than the source: ${what}`);
      }
    }
  }
  return { rows: all[0]?.rows.length ?? 0, written };
}

function listOf(sql: Sql, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

interface Kinds {
  readonly dates: readonly string[];
  readonly booleans: readonly string[];
}

/** Normalises a row of either database: dates as ISO 8601 texts, booleans as booleans. */
function plain(row: Row, { dates, booleans }: Kinds): Row {
  const entries = Object.entries(row).map(([column, value]) => {
    if (value === null) return [column, null];
    if (dates.includes(column)) return [column, new Date(value as string | Date).toISOString()];
    return [column, booleans.includes(column) ? Boolean(value) : value];
  });
  return Object.fromEntries(entries) as Row;
}

function valueFor(kind: AccountsDatabase['kind'], value: unknown, isBoolean: boolean): unknown {
  return kind === 'sqlite' && isBoolean ? Number(value) : value;
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function isSame(row: Row, kept: Row | undefined, kinds: Kinds): boolean {
  if (kept === undefined) return false;
  const other = plain(kept, kinds);
  return Object.entries(row).every(([column, value]) => other[column] === value);
}
