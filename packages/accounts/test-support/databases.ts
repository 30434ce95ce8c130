import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectPostgres } from '@countersign/storage-postgres';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { dataPlace } from '@countersign/test-support/processes/data-place';
import {
  type PostgresOptions,
  type ServerKind,
  startPgBouncer,
  startPostgres,
} from '@countersign/test-support/servers';
import Database from 'better-sqlite3';
import postgres from 'postgres';
import { MIGRATIONS_TABLE } from '../src/database/migrations.ts';
import { type AccountsDatabase, migrateAccounts } from '../src/index.ts';

/** A database, with the file or URL by which tests read and change it directly, without the package. */
export type PlacedDatabase =
  | Extract<AccountsDatabase, { kind: 'sqlite' }>
  | (Extract<AccountsDatabase, { kind: 'postgres' }> & { readonly url: string });

/** Databases for tests. On Postgres all calls share one, so do not use a returned database after the next call. */
export interface Databases {
  /** Returns a database without tables, for cases about migrations. */
  fresh(): Promise<PlacedDatabase>;
  /**
   * Returns a database with all tables of accounts and no rows. Migrates only the first time, and on Postgres after a case that
   * changed the schema, because migrating takes longer than most cases.
   */
  emptied(): Promise<PlacedDatabase>;
  close(): Promise<void>;
}

export async function sqliteDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(dataPlace(), 'countersign-accounts-'));
  const empty = join(folder, 'empty.db');
  new Database(empty).exec('VACUUM').close();
  let made = 0;
  let migrated: Promise<string> | undefined;
  function copyOf(original: string): Extract<PlacedDatabase, { kind: 'sqlite' }> {
    const file = join(folder, `${++made}.db`);
    copyFileSync(original, file);
    return { kind: 'sqlite', file };
  }
  async function migrate(): Promise<string> {
    const database = copyOf(empty);
    await migrateAccounts(database);
    return database.file;
  }
  return {
    fresh: async () => copyOf(empty),
    async emptied() {
      migrated ??= migrate();
      return copyOf(await migrated);
    },
    close: async () => rmSync(folder, { recursive: true }),
  };
}

export async function postgresDatabases(options: PostgresOptions = {}): Promise<Databases> {
  const { url, databases, close } = await onePostgresDatabase(options);
  return { ...databases(() => ({ kind: 'postgres', url, connections: connectPostgres({ url }) })), close };
}

/** Connects everything through the pooler, migrations too. */
async function pooledDatabases(): Promise<Databases> {
  const { url, databases, close } = await onePostgresDatabase();
  const pool = await startPgBouncer(url);
  return {
    ...databases(() => ({
      kind: 'postgres',
      url: pool.url,
      connections: connectPostgres({ url: pool.url, namedStatements: false }),
    })),
    async close() {
      await pool.stop();
      await close();
    },
  };
}

/** Counts what a case may add or drop: tables, indexes, columns, constraints and triggers. */
const SHAPE = `
  select
    (select array[count(*), sum(relnatts)] from pg_class where relnamespace = 'public'::regnamespace) as tables,
    (select count(*) from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
    (select count(*) from pg_trigger where not tgisinternal) as triggers`;

/** One database, emptied for each test: creating another takes Postgres longer than most tests. */
async function onePostgresDatabase(options: PostgresOptions = {}): Promise<{
  url: string;
  databases(place: () => PlacedDatabase): Pick<Databases, 'fresh' | 'emptied'>;
  close(): Promise<void>;
}> {
  const server = await startPostgres({ fsync: false, ...options });
  const url = await server.createDatabase();
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  /** The shape of the migrated tables, and the SQL that empties them. Null while they are dropped. */
  let made: { readonly shape: string; readonly deleteAll: string } | null = null;

  async function shapeNow(): Promise<string> {
    const [shape] = await sql.unsafe(SHAPE);
    return JSON.stringify(shape);
  }

  return {
    url,
    databases(place) {
      async function fresh(): Promise<PlacedDatabase> {
        made = null;
        await sql.unsafe('drop schema public cascade; create schema public');
        return place();
      }
      return {
        fresh,
        async emptied() {
          if (made !== null && made.shape === (await shapeNow())) {
            await sql.unsafe(made.deleteAll);
            return place();
          }
          const database = await fresh();
          await migrateAccounts(database);
          const tables = await sql<{ name: string }[]>`
            select tablename as name from pg_tables
            where schemaname = 'public' and tablename <> ${MIGRATIONS_TABLE} order by tablename = 'staff_users'`;
          // With few rows this is faster than `truncate`. Users are deleted last, because other rows refer to them.
          const deleteAll = tables.map(({ name }) => `delete from ${name}`).join(';');
          made = { shape: await shapeNow(), deleteAll };
          return database;
        },
      };
    },
    async close() {
      await sql.end();
      await server.stop();
    },
  };
}

export const DATABASES: readonly [name: string, needs: ServerKind[], open: () => Promise<Databases>][] = [
  ['SQLite', [], sqliteDatabases],
  ['Postgres', ['postgres'], () => postgresDatabases()],
  ['Postgres behind PgBouncer', ['postgres', 'pgbouncer'], pooledDatabases],
];

/** Runs a statement directly on the database, without the package, and returns its rows. */
export async function rowsOf(database: PlacedDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const [rows = []] = await rowsOfEach(database, [sql]);
  return rows;
}

/**
 * Runs statements over one connection, because connecting takes Postgres longer than most statements. Returns the rows
 * of each.
 */
async function rowsOfEach(
  database: PlacedDatabase,
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
  return withDatabase(database.url, async (sql) => {
    const found: Record<string, unknown>[][] = [];
    for (const statement of statements) found.push([...(await sql.unsafe<Record<string, unknown>[]>(statement))]);
    return found;
  });
}

/** Runs statements directly on the database, without the package. */
export async function runIn(database: PlacedDatabase, sql: string): Promise<void> {
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
export async function everythingIn(database: PlacedDatabase): Promise<string> {
  const rows = await rowsOfEach(
    database,
    TABLES.map((table) => `select * from staff_${table}`),
  );
  return JSON.stringify(rows);
}
