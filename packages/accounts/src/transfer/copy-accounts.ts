import type { RawBuilder, Sql, Transaction } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import { checkAccounts, hasAccounts, migrateAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { StaffDatabase, Tables } from '../database/tables.ts';
import { AccountsCopyError } from '../errors.ts';

/** How many people a copy holds. */
export interface CopiedAccounts {
  readonly rows: number;
  /** Those that were not in the target before. */
  readonly written: number;
}

type Row = Readonly<Record<string, unknown>>;

/** In this order: the others refer to the first. Sessions and one-time links end with the move. */
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
    moments: ['created_at', 'updated_at'],
    truths: ['email_verified', 'two_factor_enabled'],
  },
  {
    name: 'staff_accounts',
    columns: ['id', 'user_id', 'account_id', 'provider_id', 'password'],
    moments: ['created_at', 'updated_at'],
    truths: [],
  },
  {
    name: 'staff_two_factors',
    columns: ['id', 'user_id', 'secret', 'backup_codes', 'verified'],
    moments: [],
    truths: ['verified'],
  },
] as const;

/**
 * Copies people, their passwords and second factors into another database, and compares. What is there already stays:
 * run again, it goes on. The target needs the key ring of the source to open second factors.
 * @throws AccountsOpenError; AccountsCopyError where the target holds something else, and then nothing was written
 */
export async function copyAccounts(from: AccountsDatabase, to: AccountsDatabase): Promise<CopiedAccounts> {
  await migrateAccounts(to);
  // An installation from before there were accounts.
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
    const names = [...table.columns, ...table.moments];
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
      const values = names.map((name) => valueFor(kind, row[name], isOneOf(table.truths, name)));
      const insert = sql`insert into ${into} (${columns}) values (${sql.join(values)}) on conflict do nothing`;
      const { numAffectedRows } = await insert.execute(target);
      if (table.name === 'staff_users') written += Number(numAffectedRows ?? 0n);
      const kept = await sql<Row>`select ${columns} from ${into} where id = ${row.id}`.execute(target);
      if (!isSame(row, kept.rows[0], table)) {
        const what = `${table.name} ${String(row.id)} differs`;
        throw new AccountsCopyError(`The accounts of the target are not those of the source: ${what}`);
      }
    }
  }
  return { rows: all[0]?.rows.length ?? 0, written };
}

function listOf(sql: Sql, names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

interface Kinds {
  readonly moments: readonly string[];
  readonly truths: readonly string[];
}

/** The same for both kinds of database: moments as texts in ISO 8601, truth values as booleans. */
function plain(row: Row, { moments, truths }: Kinds): Row {
  const entries = Object.entries(row).map(([column, value]) => {
    if (value === null) return [column, null];
    if (moments.includes(column)) return [column, new Date(value as string | Date).toISOString()];
    return [column, truths.includes(column) ? Boolean(value) : value];
  });
  return Object.fromEntries(entries) as Row;
}

function valueFor(kind: AccountsDatabase['kind'], value: unknown, isTruth: boolean): unknown {
  return kind === 'sqlite' && isTruth ? Number(value) : value;
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function isSame(row: Row, kept: Row | undefined, kinds: Kinds): boolean {
  if (kept === undefined) return false;
  const other = plain(kept, kinds);
  return Object.entries(row).every(([column, value]) => other[column] === value);
}
