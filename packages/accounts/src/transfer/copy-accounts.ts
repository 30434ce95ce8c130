import { isDeepStrictEqual } from 'node:util';
import type { RawBuilder, Sql, Transaction } from 'kysely';
import { checkAccounts, hasAccounts, migrateAccounts } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { AccountsDatabase, StaffDatabase, Tables } from '../database/tables.ts';
import { AccountsCopyError } from '../errors.ts';

/** The numbers of users of a copy. */
export interface CopiedAccounts {
  readonly rows: number;
  /** Users that were missing in the target. */
  readonly written: number;
}

type Kind = 'text' | 'boolean' | 'date' | 'number';
type Row = Readonly<Record<string, unknown>>;

/**
 * The copied columns of each table, by their kind. Tables are copied in this order, because the others refer to users.
 * Sessions and one-time links are not copied.
 */
const TABLES: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  staff_users: {
    id: 'text',
    name: 'text',
    email: 'text',
    email_verified: 'boolean',
    image: 'text',
    role: 'text',
    client_id: 'text',
    team_role: 'text',
    two_factor_enabled: 'boolean',
    locale: 'text',
    password_allowed_until: 'date',
    ended_mark: 'text',
    has_unverified_email: 'boolean',
    created_at: 'date',
    updated_at: 'date',
  },
  staff_accounts: {
    id: 'text',
    user_id: 'text',
    account_id: 'text',
    provider_id: 'text',
    password: 'text',
    created_at: 'date',
    updated_at: 'date',
  },
  staff_identities: {
    id: 'text',
    user_id: 'text',
    issuer: 'text',
    subject: 'text',
    withdrawn_at: 'date',
    in_session: 'boolean',
    created_at: 'date',
    used_at: 'date',
  },
  staff_two_factors: {
    id: 'text',
    user_id: 'text',
    secret: 'text',
    backup_codes: 'text',
    verified: 'boolean',
    confirmed_at: 'date',
  },
  staff_passkeys: {
    id: 'text',
    user_id: 'text',
    credential_id: 'text',
    public_key: 'text',
    counter: 'number',
    name: 'text',
    created_at: 'date',
    used_at: 'date',
  },
  // Without their links, as the users who are invited.
  staff_withheld_invitations: {
    id: 'text',
    client_id: 'text',
    email: 'text',
    name: 'text',
    team_role: 'text',
    created_at: 'date',
  },
};

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
  readonly rows: readonly Row[];
}

async function readAll(sql: Sql, source: StaffDatabase): Promise<Read[]> {
  const all: Read[] = [];
  for (const table of Object.keys(TABLES)) {
    const select = sql<Row>`select ${columnsOf(sql, table)} from ${sql.table(table)} order by id`;
    const { rows } = await select.execute(source);
    all.push({ table, rows: rows.map((row) => normalised(table, row)) });
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
  for (const { table, rows } of all) {
    const [into, columns] = [sql.table(table), columnsOf(sql, table)];
    for (const row of rows) {
      const values = Object.values(row).map((value) =>
        kind === 'sqlite' && typeof value === 'boolean' ? Number(value) : value,
      );
      const insert = sql`insert into ${into} (${columns}) values (${sql.join(values)}) on conflict do nothing`;
      const { numAffectedRows } = await insert.execute(target);
      if (table === 'staff_users') written += Number(numAffectedRows ?? 0n);
      const { rows: kept } = await sql<Row>`select ${columns} from ${into} where id = ${row.id}`.execute(target);
      if (kept[0] === undefined || !isDeepStrictEqual(normalised(table, kept[0]), row)) {
        const what = `${table} ${String(row.id)} differs`;
        throw new AccountsCopyError(`The target has other accounts than the source: ${what}`);
      }
    }
  }
  return { rows: all[0]?.rows.length ?? 0, written };
}

function columnsOf(sql: Sql, table: string): RawBuilder<unknown> {
  return sql.join(Object.keys(TABLES[table] ?? {}).map((name) => sql.ref(name)));
}

/**
 * Returns the columns of a row of either database, in the order of `TABLES`: dates as ISO 8601 texts, booleans as
 * booleans, numbers as numbers.
 */
function normalised(table: string, row: Row): Row {
  const columns = Object.entries(TABLES[table] ?? {});
  return Object.fromEntries(columns.map(([column, kind]) => [column, normalisedValue(kind, row[column])]));
}

function normalisedValue(kind: Kind, value: unknown): unknown {
  if (value === null || kind === 'text') return value;
  if (kind === 'number') return Number(value);
  return kind === 'boolean' ? Boolean(value) : new Date(value as string | Date).toISOString();
}
