import { describeWith } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import {
  type PlacedDatabase,
  postgresDatabases,
  rowsOf,
  runIn,
  sqliteDatabases,
} from '../../test-support/databases.ts';
import { migrateAccounts } from '../database/migrate.ts';
import { copyAccounts } from '../index.ts';

/** Rows of every copied table as SQLite stores them: with every kind of column, null and not. */
const STORED: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>> = {
  staff_users: [
    {
      id: 'user-1',
      name: 'Ann',
      email: 'ann@example.com',
      email_verified: 1,
      image: 'ann.png',
      role: 'client',
      client_id: 'client-1',
      team_role: 'owner',
      two_factor_enabled: 1,
      created_at: '2026-03-01T08:00:00.000Z',
      updated_at: '2026-03-02T08:00:00.123Z',
      locale: 'de',
      password_allowed_until: '2026-04-01T00:00:00.001Z',
      ended_mark: 'mark',
      has_unverified_email: 1,
    },
    {
      id: 'user-2',
      name: 'Bob',
      email: 'bob@example.com',
      email_verified: 0,
      image: null,
      role: 'operator',
      client_id: null,
      team_role: null,
      two_factor_enabled: 0,
      created_at: '2026-03-01T08:00:00.000Z',
      updated_at: '2026-03-01T08:00:00.000Z',
      locale: null,
      password_allowed_until: null,
      ended_mark: null,
      has_unverified_email: 0,
    },
  ],
  staff_accounts: [
    {
      id: 'account-1',
      user_id: 'user-1',
      account_id: 'user-1',
      provider_id: 'credential',
      password: 'hash',
      created_at: '2026-03-01T08:00:00.000Z',
      updated_at: '2026-03-01T08:00:00.000Z',
    },
    {
      id: 'account-2',
      user_id: 'user-2',
      account_id: 'user-2',
      provider_id: 'credential',
      password: null,
      created_at: '2026-03-01T08:00:00.000Z',
      updated_at: '2026-03-01T08:00:00.000Z',
    },
  ],
  staff_identities: [
    {
      id: 'identity-1',
      user_id: 'user-1',
      issuer: 'https://login.example',
      subject: 'ann',
      withdrawn_at: '2026-03-05T10:00:00.000Z',
      created_at: '2026-03-03T10:00:00.000Z',
      used_at: '2026-03-04T10:00:00.999Z',
      in_session: 1,
    },
    {
      id: 'identity-2',
      user_id: 'user-2',
      issuer: 'https://login.example',
      subject: 'bob',
      withdrawn_at: null,
      created_at: '2026-03-03T10:00:00.000Z',
      used_at: null,
      in_session: 0,
    },
  ],
  staff_two_factors: [
    {
      id: 'factor-1',
      user_id: 'user-1',
      secret: 'sealed',
      backup_codes: 'sealed codes',
      verified: 1,
      confirmed_at: '2026-03-06T10:00:00.000Z',
    },
    {
      id: 'factor-2',
      user_id: 'user-2',
      secret: 'sealed too',
      backup_codes: 'sealed codes',
      verified: 0,
      confirmed_at: null,
    },
  ],
  staff_passkeys: [
    {
      id: 'passkey-1',
      user_id: 'user-1',
      credential_id: 'credential-1',
      public_key: 'key',
      counter: 2 ** 32 - 1,
      name: 'Laptop',
      created_at: '2026-03-06T10:00:00.000Z',
      used_at: '2026-03-07T10:00:00.000Z',
    },
    {
      id: 'passkey-2',
      user_id: 'user-2',
      credential_id: 'credential-2',
      public_key: 'key',
      counter: 0,
      name: 'Phone',
      created_at: '2026-03-06T10:00:00.000Z',
      used_at: null,
    },
  ],
  staff_withheld_invitations: [
    {
      id: 'invitation-1',
      client_id: 'client-1',
      email: 'cleo@example.com',
      name: 'Cleo',
      team_role: 'viewer',
      created_at: '2026-03-08T10:00:00.000Z',
    },
  ],
};

/** The same rows as Postgres stores them. The driver reads its large integers as texts. */
function inPostgres(table: string, row: Readonly<Record<string, string | number | null>>): unknown {
  const flags = ['email_verified', 'two_factor_enabled', 'has_unverified_email', 'in_session', 'verified'];
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value !== null && /_(?:at|until)$/.test(column)) return [column, new Date(value)];
      if (flags.includes(column)) return [column, value === 1];
      return [column, table === 'staff_passkeys' && column === 'counter' ? String(value) : value];
    }),
  );
}

it('copying SQLite into SQLite: each row stays equal, and a row that differs is refused', async () => {
  const sqlite = await sqliteDatabases();
  const [source, target] = [await sqlite.fresh(), await sqlite.fresh()];
  await migrateAccounts(source);
  for (const [table, rows] of Object.entries(STORED)) for (const row of rows) await insert(source, table, row);
  await copyAccounts(source, target);
  for (const [table, rows] of Object.entries(STORED)) expect(await storedIn(target, table)).toEqual(rows);
  // A copy that is run again writes missing rows, and refuses rows that differ.
  await runIn(target, 'delete from staff_passkeys');
  expect((await copyAccounts(source, target)).written).toBe(0);
  expect(await storedIn(target, 'staff_passkeys')).toEqual(STORED.staff_passkeys);
  await runIn(target, "update staff_passkeys set name = 'Other'");
  await expect(copyAccounts(source, target)).rejects.toThrow(/staff_passkeys \S+ differs$/);
  await sqlite.close();
});

describeWith(['postgres'], 'the rows of a copy', () => {
  it('SQLite into Postgres and back: each row is stored in the form of its database, and equal at the end', async () => {
    const [sqlite, postgres] = await Promise.all([sqliteDatabases(), postgresDatabases()]);
    try {
      const [source, between, target] = [await sqlite.fresh(), await postgres.fresh(), await sqlite.fresh()];
      await migrateAccounts(source);
      for (const [table, rows] of Object.entries(STORED)) for (const row of rows) await insert(source, table, row);

      await copyAccounts(source, between);
      await copyAccounts(between, target);

      for (const [table, rows] of Object.entries(STORED)) {
        expect(await storedIn(between, table)).toEqual(rows.map((row) => inPostgres(table, row)));
        expect(await storedIn(target, table)).toEqual(rows);
      }
    } finally {
      await Promise.all([sqlite.close(), postgres.close()]);
    }
  });
});

async function insert(
  database: PlacedDatabase,
  table: string,
  row: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  await runIn(database, `insert into ${table} (${Object.keys(row).join()}) values (${values.join()})`);
}

async function storedIn(database: PlacedDatabase, table: string): Promise<Record<string, unknown>[]> {
  const columns = Object.keys(STORED[table]?.[0] ?? {}).join();
  return rowsOf(database, `select ${columns} from ${table} order by id`);
}
