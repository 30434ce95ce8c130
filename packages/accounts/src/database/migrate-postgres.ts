import { AccountsOpenError, codeOf } from '../errors.ts';
import {
  CREATE_MIGRATIONS_TABLE,
  MIGRATIONS_TABLE,
  type Migrator,
  migrationsFor,
  pendingMigrations,
} from './migrations.ts';
import type { PostgresConnections, SimpleQuery } from './postgres-connections.ts';

/** Key of the advisory lock: the bytes of `csstaff`. */
const LOCK = '28009405512672870';
const LOCK_WAIT_SECONDS = 60;
const ANSWER_WITHIN_MS = (LOCK_WAIT_SECONDS + 5) * 1_000;

/** Connects to the tables of accounts on a Postgres server for each call. @param options.isDirect whether to pass by the pooler */
export function createPostgresMigrator(
  connections: PostgresConnections,
  options: { readonly isDirect: boolean },
): Migrator {
  const connect = <T>(work: (run: SimpleQuery) => Promise<T>): Promise<T> =>
    connections.connect(async (run) => {
      try {
        return await work((sql) => run(sql, ANSWER_WITHIN_MS));
      } catch (error) {
        throw openError(error);
      }
    }, options);

  return {
    applied: () => connect(appliedTo),
    migrate: () => connect(migrate),
    run: (sql) => connect(async (run) => void (await run(sql))),
    select: (sql) => connect(async (run) => ((await appliedTo(run)).length === 0 ? [] : texts(await run(sql)))),
  };
}

/** One transaction also holds the lock, so PgBouncer in transaction mode releases it too. Closing the connection rolls it back. */
async function migrate(run: SimpleQuery): Promise<readonly string[]> {
  const all = migrationsFor('postgres');
  if (pendingMigrations(all, await appliedTo(run)).length === 0) return [];
  await run('begin');
  await run(`set local lock_timeout = '${LOCK_WAIT_SECONDS}s'`);
  await run(`select pg_advisory_xact_lock(${LOCK})`);
  // Reads the table again, after the lock: another process may have migrated meanwhile.
  await run(CREATE_MIGRATIONS_TABLE);
  const pending = pendingMigrations(all, await namesIn(run));
  for (const { name, sql, hash } of pending) {
    await run(sql);
    // Each value is the name of a file, a hash or a time.
    const values = [name, hash, new Date().toISOString()].map((value) => `'${value}'`);
    await run(`insert into ${MIGRATIONS_TABLE} (name, hash, applied_at) values (${values.join()})`);
  }
  await run('commit');
  return pending.map(({ name }) => name);
}

async function appliedTo(run: SimpleQuery): Promise<string[]> {
  const [[found] = []] = await run(`select to_regclass('${MIGRATIONS_TABLE}') is not null`);
  return found === true ? namesIn(run) : [];
}

async function namesIn(run: SimpleQuery): Promise<string[]> {
  return texts(await run(`select name from ${MIGRATIONS_TABLE}`));
}

/** Returns the first column as texts. */
function texts(rows: readonly (readonly unknown[])[]): string[] {
  return rows.map(([value]) => String(value));
}

/** Codes of the server. No class of Postgres begins with E, as Node's codes of connection errors do: `EPIPE` is none. */
const SQL_STATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/;
const OF_THE_CONNECTION = /^(?:08|28|3D|53|57)/;

/** Explains an error that is about these tables. The storage explains those of the connection. */
function openError(cause: unknown): unknown {
  const code = codeOf(cause);
  if (code === '55P03') {
    const message = `Another process has been migrating the tables of accounts for more than ${LOCK_WAIT_SECONDS} s. Try again`;
    return new AccountsOpenError('locked', message, { cause });
  }
  if (!SQL_STATE.test(code) || OF_THE_CONNECTION.test(code)) return cause;
  const message = `The tables of accounts could not be made, and none was kept (${code})`;
  return new AccountsOpenError('migration_failed', message, { cause });
}
