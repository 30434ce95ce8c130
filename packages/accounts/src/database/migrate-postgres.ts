import type pg from 'pg';
import { AccountsOpenError, codeOf } from '../errors.ts';
import {
  CREATE_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
  type Migrator,
  migrationsFor,
  pendingMigrations,
} from './migrations.ts';
import { CONNECT_WITHIN_MS, connectionOptions } from './postgres-connection.ts';

/** Key of the advisory lock: the bytes of `csstaff`. */
const LOCK = '28009405512672870';
const LOCK_WAIT_SECONDS = 60;
const ANSWER_WITHIN_MS = (LOCK_WAIT_SECONDS + 5) * 1_000;

/** Connects to the tables of accounts on a Postgres server for each call. */
export function createPostgresMigrator(url: string): Migrator {
  return {
    applied: () => withClient(url, appliedTo),
    migrate: () => withClient(url, migrate),
    run: (sql) => withClient(url, async (client) => void (await client.query(sql))),
    select: (sql) =>
      withClient(url, async (client) => {
        if ((await appliedTo(client)).length === 0) return [];
        const { rows } = await client.query<[string]>({ text: sql, rowMode: 'array' });
        return rows.map(([value]) => value);
      }),
  };
}

/** One transaction also holds the lock, so PgBouncer in transaction mode releases it too. */
async function migrate(client: pg.Client): Promise<readonly string[]> {
  const all = migrationsFor('postgres');
  if (pendingMigrations(all, await appliedTo(client)).length === 0) return [];
  await client.query('begin');
  await client.query(`set local lock_timeout = '${LOCK_WAIT_SECONDS}s'`);
  await client.query(`select pg_advisory_xact_lock(${LOCK})`);
  // Reads the table again, after the lock: another process may have migrated meanwhile.
  await client.query(CREATE_MIGRATIONS_TABLE);
  const pending = pendingMigrations(all, await namesIn(client));
  for (const { name, sql, hash } of pending) {
    await client.query(sql);
    const row = [name, hash, new Date().toISOString()];
    await client.query(`insert into ${MIGRATIONS_TABLE} (name, hash, applied_at) values ($1, $2, $3)`, row);
  }
  await client.query('commit');
  return pending.map(({ name }) => name);
}

/** Returns the connection options that work. @throws AccountsOpenError `unreachable` */
export function findConnectionOptions(url: string): Promise<ReturnType<typeof connectionOptions>[number]> {
  return withClient(url, async (_, options) => options);
}

async function appliedTo(client: pg.Client): Promise<string[]> {
  const { rows: found } = await client.query<{ is: boolean }>(
    `select to_regclass('${MIGRATIONS_TABLE}') is not null as is`,
  );
  if (found[0]?.is !== true) return [];
  return namesIn(client);
}

async function namesIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`);
  return rows.map(({ name }) => name);
}

/** Ends the connection afterwards, which rolls back an open transaction. */
async function withClient<T>(
  url: string,
  work: (client: pg.Client, options: ReturnType<typeof connectionOptions>[number]) => Promise<T>,
): Promise<T> {
  const { client, options } = await connect(url);
  try {
    return await work(client, options);
  } catch (error) {
    throw openError(error);
  } finally {
    await client.end();
  }
}

async function connect(
  url: string,
): Promise<{ client: pg.Client; options: ReturnType<typeof connectionOptions>[number] }> {
  const { Client } = (await import('pg')).default;
  let last: unknown;
  for (const options of connectionOptions(url)) {
    const client = new Client({
      ...options,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      application_name: 'countersign accounts',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return { client, options };
    } catch (error) {
      last = error;
      await client.end().catch(() => undefined);
    }
  }
  throw openError(last);
}

function openError(cause: unknown): unknown {
  if (cause instanceof AccountsOpenError) return cause;
  const code = codeOf(cause);
  if (code === '55P03') {
    const message = `Another process has been migrating the tables of accounts for more than ${LOCK_WAIT_SECONDS} s. Try again`;
    return new AccountsOpenError('locked', message, { cause });
  }
  if (/^(?:08|28|3D|53|57)/.test(code) || !/^[0-9A-Z]{5}$/.test(code)) {
    return new AccountsOpenError('unreachable', `The database does not answer (${code})`, { cause });
  }
  const message = `The tables of accounts could not be made, and none was kept (${code})`;
  return new AccountsOpenError('migration_failed', message, { cause });
}
