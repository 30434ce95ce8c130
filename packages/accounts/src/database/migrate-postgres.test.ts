import { expect, it } from 'vitest';
import { AccountsOpenError } from '../errors.ts';
import { checkAccounts, hasAccounts, migrateAccounts, moveUsersToLiveClients } from './migrate.ts';
import { createPostgresMigrator } from './migrate-postgres.ts';
import { migrationsFor } from './migrations.ts';
import type { PostgresConnections } from './postgres-connections.ts';

/** Migrates on connections whose statements all fail. */
function migrateWith(fault: Error): Promise<unknown> {
  const connections = {
    openPool() {
      throw new Error('a migration needs no pool');
    },
    connect: <T>(work: (run: () => Promise<never>) => Promise<T>) => work(() => Promise.reject(fault)),
  };
  return createPostgresMigrator(connections, { isDirect: true }).migrate();
}

const faultOf = (code: string) => Object.assign(new Error('failed'), { code });

it.each(['EPIPE', 'ECONNRESET', 'CONNECTION_CLOSED', '08006', '57P01', '53300'])(
  'migrating accounts: %s is an error of the connection and stays as it is',
  async (code) => {
    const fault = faultOf(code);
    await expect(migrateWith(fault)).rejects.toBe(fault);
  },
);

it.each(['42P07', '23505', 'P0001', 'XX000', 'F0000', 'HV000'])(
  'migrating accounts: %s is a failed migration',
  async (code) => {
    const cause = faultOf(code);
    await expect(migrateWith(cause)).rejects.toMatchObject({
      code: 'migration_failed',
      message: `The tables of accounts could not be made, and none was kept (${code})`,
      cause,
    });
  },
);

it('migrating accounts: a lock that another process holds is reported as locked', async () => {
  await expect(migrateWith(faultOf('55P03'))).rejects.toMatchObject({ name: 'AccountsOpenError', code: 'locked' });
});

it('migrating accounts: an AccountsOpenError is thrown unchanged', async () => {
  const refusal = new AccountsOpenError('newer_version', 'newer');
  await expect(migrateWith(refusal)).rejects.toBe(refusal);
});

const ALL = migrationsFor('postgres');
const NAMES = ALL.map(({ name }) => name);

/** Creates a server with these migrations applied, or without the migrations table. Records the statements that it gets. */
function givenServer(applied: readonly string[] | null) {
  const asked: string[] = [];
  const options: unknown[] = [];
  const deadlines = new Set<number | undefined>();
  const connections: PostgresConnections = {
    openPool() {
      throw new Error('a migration needs no pool');
    },
    connect(work, given) {
      options.push(given);
      return work(async (sql, deadlineMs) => {
        asked.push(sql);
        deadlines.add(deadlineMs);
        if (sql.startsWith('select to_regclass')) return [[applied !== null]];
        return sql.startsWith('select name') ? (applied ?? []).map((name) => [name]) : [];
      });
    },
  };
  const migrator = createPostgresMigrator(connections, { isDirect: true });
  return { database: { kind: 'postgres' as const, connections }, migrator, asked, options, deadlines };
}

it('migrating accounts: a new database gets all migrations in one transaction that holds the lock', async () => {
  const { migrator, asked, options, deadlines } = givenServer(null);
  expect(await migrator.migrate()).toEqual(NAMES);
  expect(asked.slice(1, 4)).toEqual([
    'begin',
    "set local lock_timeout = '60s'",
    'select pg_advisory_xact_lock(28009405512672870)',
  ]);
  expect(asked.slice(6, -1)).toEqual(
    ALL.flatMap(({ name, sql, hash }) => [
      sql,
      expect.stringMatching(
        `^insert into staff_migrations \\(name, hash, applied_at\\) values \\('${name}','${hash}','[-0-9T:.]+Z'\\)$`,
      ),
    ]),
  );
  expect(asked.at(-1)).toBe('commit');
  expect(options).toEqual([{ isDirect: true }]);
  // The wait for the lock, and some time for the response.
  expect([...deadlines]).toEqual([65_000]);
});

it('migrating accounts: only pending migrations are applied; without any, no transaction begins', async () => {
  const { migrator, asked } = givenServer(NAMES.slice(0, -1));
  expect(await migrator.migrate()).toEqual(NAMES.slice(-1));
  expect(asked.filter((sql) => ALL.some((migration) => migration.sql === sql))).toEqual([ALL.at(-1)?.sql]);

  const current = givenServer(NAMES);
  expect(await current.migrator.migrate()).toEqual([]);
  expect(current.asked).toHaveLength(2);
});

it('tables of accounts: statements run, and rows are read only if the tables exist', async () => {
  const { migrator, asked } = givenServer(NAMES);
  expect(await migrator.applied()).toEqual(NAMES);
  expect(await migrator.select('select name of the ring')).toEqual(NAMES);
  await migrator.run('delete everything');
  expect(asked.at(-1)).toBe('delete everything');

  const empty = givenServer(null);
  expect(await empty.migrator.applied()).toEqual([]);
  expect(await empty.migrator.select('select name of the ring')).toEqual([]);
  expect(empty.asked.map((sql) => sql.split('(')[0])).toEqual(['select to_regclass', 'select to_regclass']);
});

it('tables of accounts: only changes bypass the pooler', async () => {
  const { database, asked, options } = givenServer(NAMES);
  await migrateAccounts(database);
  await moveUsersToLiveClients(database);
  await checkAccounts(database);
  expect(await hasAccounts(database)).toBe(true);
  expect(options).toEqual([true, true, false, false].map((isDirect) => ({ isDirect })));
  expect(asked.find((sql) => sql.startsWith('update'))).toContain('clients.id::text = staff_users.client_id');
});
