import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlace } from '@countersign/test-support/processes/data-place';
import {
  type PostgresOptions,
  type ServerKind,
  startPgBouncer,
  startPostgres,
} from '@countersign/test-support/servers';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { AccountsDatabase } from '../src/index.ts';

/** Databases for tests, without tables of accounts. On Postgres, `fresh` empties the previous database. */
export interface Databases {
  fresh(): Promise<AccountsDatabase>;
  close(): Promise<void>;
}

export async function sqliteDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(dataPlace(), 'countersign-accounts-'));
  const empty = join(folder, 'empty.db');
  new Database(empty).exec('VACUUM').close();
  let made = 0;
  return {
    async fresh() {
      const file = join(folder, `${++made}.db`);
      copyFileSync(empty, file);
      return { kind: 'sqlite', file };
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
}

export async function postgresDatabases(options: PostgresOptions = {}): Promise<Databases> {
  const { url, empty, close } = await onePostgresDatabase(options);
  return {
    async fresh() {
      await empty();
      return { kind: 'postgres', url };
    },
    close,
  };
}

/** Connects everything through the pooler, migrations too. */
async function pooledDatabases(): Promise<Databases> {
  const { url, empty, close } = await onePostgresDatabase();
  const pool = await startPgBouncer(url);
  return {
    async fresh() {
      await empty();
      return { kind: 'postgres', url: pool.url };
    },
    async close() {
      await pool.stop();
      await close();
    },
  };
}

/** One database, emptied for each test: creating another takes Postgres longer than most tests. */
async function onePostgresDatabase(options: PostgresOptions = {}): Promise<{
  url: string;
  empty(): Promise<void>;
  close(): Promise<void>;
}> {
  const server = await startPostgres({ fsync: false, ...options });
  const url = await server.createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    empty: async () => void (await client.query('drop schema public cascade; create schema public')),
    async close() {
      await client.end();
      await server.stop();
    },
  };
}

export const DATABASES: readonly [name: string, needs: ServerKind[], open: () => Promise<Databases>][] = [
  ['SQLite', [], sqliteDatabases],
  ['Postgres', ['postgres'], () => postgresDatabases()],
  ['Postgres behind PgBouncer', ['postgres', 'pgbouncer'], pooledDatabases],
];

/** Runs a statement past the package and returns its rows. */
export async function rowsOf(database: AccountsDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const [rows = []] = await rowsOfEach(database, [sql]);
  return rows;
}

/**
 * Runs statements over one connection, because connecting takes Postgres longer than most statements. Returns the rows
 * of each.
 */
async function rowsOfEach(
  database: AccountsDatabase,
  statements: readonly string[],
): Promise<Record<string, unknown>[][]> {
  if (database.kind === 'sqlite') {
    const connection = new Database(database.file);
    try {
      return statements.map((sql) => {
        const statement = connection.prepare(sql);
        if (statement.reader) return statement.all() as Record<string, unknown>[];
        statement.run();
        return [];
      });
    } finally {
      connection.close();
    }
  }
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const found = [];
    for (const sql of statements) found.push((await client.query<Record<string, unknown>>(sql)).rows);
    return found;
  } finally {
    await client.end();
  }
}

/** Runs statements past the package. */
export async function runIn(database: AccountsDatabase, sql: string): Promise<void> {
  if (database.kind === 'sqlite') new Database(database.file).exec(sql).close();
  else await rowsOf(database, sql);
}

const TABLES = [
  'users',
  'accounts',
  'sessions',
  'verifications',
  'two_factors',
  'invitations',
  'used_codes',
  'identities',
  'passkeys',
  'withheld_invitations',
];

/** `everythingIn` of a database without rows. */
export const NO_ROWS: string = JSON.stringify(TABLES.map(() => []));

/** Returns the content of all tables of accounts as text. */
export async function everythingIn(database: AccountsDatabase): Promise<string> {
  const rows = await rowsOfEach(
    database,
    TABLES.map((table) => `select * from staff_${table}`),
  );
  return JSON.stringify(rows);
}
