import type pg from 'pg';
import { AccountsOpenError } from '../errors.ts';
import { codeOf } from './error-code.ts';
import {
  CREATE_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
  migrationsFor,
  pendingMigrations,
  refuseOutdated,
} from './migrations.ts';
import { CONNECT_WITHIN_MS, waysTo } from './postgres-connection.ts';

/** Names the lock among all advisory locks of a database: `csstaff` in the letters of its bytes. */
const LOCK = '28009405512672870';
const LOCK_WAIT_SECONDS = 60;
const ANSWER_WITHIN_MS = (LOCK_WAIT_SECONDS + 5) * 1_000;

/**
 * Applies what is pending in one transaction, which also holds the lock: of several at once one does it and the others
 * wait. The lock is the transaction's and not the session's, so that PgBouncer in transaction mode gives it back too.
 * @returns names of the migrations applied now
 */
export async function migratePostgres(url: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const all = migrationsFor('postgres');
    if (pendingMigrations(all, await appliedTo(client)).length === 0) return [];
    await client.query('begin');
    await client.query(`set local lock_timeout = '${LOCK_WAIT_SECONDS}s'`);
    await client.query(`select pg_advisory_xact_lock(${LOCK})`);
    // Not by the look from before: to wait for an advisory lock leaves the server's memory of what is not there as it was.
    await client.query(CREATE_MIGRATIONS_TABLE);
    const pending = pendingMigrations(all, await namesIn(client));
    for (const { name, sql, hash } of pending) {
      await client.query(sql);
      await client.query(`insert into ${MIGRATIONS_TABLE} (name, hash, applied_at) values ($1, $2, $3)`, [
        name,
        hash,
        new Date().toISOString(),
      ]);
    }
    await client.query('commit');
    return pending.map(({ name }) => name);
  });
}

/** @throws AccountsOpenError where the tables are not those of this version */
export async function checkPostgres(url: string): Promise<void> {
  await withClient(url, async (client) =>
    refuseOutdated(pendingMigrations(migrationsFor('postgres'), await appliedTo(client))),
  );
}

/** Names of the migrations that a database has. */
export function appliedOnServer(url: string): Promise<readonly string[]> {
  return withClient(url, appliedTo);
}

/** The way to the server that works. @throws AccountsOpenError `unreachable` */
export function findWay(url: string): Promise<ReturnType<typeof waysTo>[number]> {
  return withClient(url, async (_, way) => way);
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

/** Ending the connection undoes a transaction that was not committed. */
async function withClient<T>(
  url: string,
  work: (client: pg.Client, way: ReturnType<typeof waysTo>[number]) => Promise<T>,
): Promise<T> {
  const { client, way } = await connect(url);
  try {
    return await work(client, way);
  } catch (error) {
    throw openError(error);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<{ client: pg.Client; way: ReturnType<typeof waysTo>[number] }> {
  const { Client } = (await import('pg')).default;
  let last: unknown;
  for (const way of waysTo(url)) {
    const client = new Client({
      ...way,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      application_name: 'countersign accounts',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return { client, way };
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
    const message = `Another process has been making the tables of accounts for more than ${LOCK_WAIT_SECONDS} s`;
    return new AccountsOpenError('locked', message, { cause });
  }
  if (/^(?:08|28|3D|53|57)/.test(code) || !/^[0-9A-Z]{5}$/.test(code)) {
    return new AccountsOpenError('unreachable', `The database does not answer (${code})`, { cause });
  }
  const message = `The tables of accounts could not be made, and none was kept (${code})`;
  return new AccountsOpenError('migration_failed', message, { cause });
}
