import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { until } from '../processes/until.ts';
import { LOGIN } from './data-folder.ts';
import { type OwnPostgres, ownPostgres } from './own-postgres.ts';
import { user } from './server-folder.ts';
import { startTcpSwitch } from './tcp-switch.ts';

/** A primary, and a standby that has every commit before the primary acknowledges it. */
export interface PostgresPair {
  /** The URL of a new database, at an address that leads to the primary. */
  readonly url: string;
  /** Kills the primary (SIGKILL), promotes the standby, and lets the address lead to it. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const STANDBY = 'standby';

/** Starts both. The standby begins as a copy of the primary's data folder, because the tests have no `pg_basebackup`. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const primary = await ownPostgres({});
  const address = await startTcpSwitch(primary.port);
  await withSql(primary, (sql) => sql.unsafe('create database service'));
  const standby = await ownPostgres({}, (data) => copyAsStandby(primary, data));
  await withSql(primary, commitOnBoth);

  return {
    url: `postgres://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${address.port}/service`,
    async failOver() {
      await primary.kill();
      await withSql(standby, (sql) => sql`select pg_promote()`);
      address.leadTo(standby.port);
    },
    async stop() {
      await address.close();
      await primary.stop();
      await standby.stop();
    },
  };
}

/** Copies the data folder of a running server, as the user of the servers. */
async function copyAsStandby(primary: OwnPostgres, data: string): Promise<void> {
  await withSql(primary, async (sql) => {
    // Both in one session: a backup ends with it.
    await sql`select pg_backup_start(${STANDBY}, true)`;
    await run('cp', ['-R', primary.data, data], { ...user, cwd: '/' });
    const [label] = await sql<[{ labelfile: string }]>`select labelfile from pg_backup_stop(false)`;
    rmSync(join(data, 'postmaster.pid'));
    writeOwned(join(data, 'backup_label'), label.labelfile);
    writeOwned(join(data, 'standby.signal'), '');
    const source = `host=127.0.0.1 port=${primary.port} user=${LOGIN.user} password=${LOGIN.password} application_name=${STANDBY}`;
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  });
}

function writeOwned(file: string, text: string): void {
  writeFileSync(file, text);
  if (user.uid !== undefined && user.gid !== undefined) chownSync(file, user.uid, user.gid);
}

/** Lets every commit wait for the standby from now on. */
async function commitOnBoth(sql: Sql): Promise<void> {
  await sql.unsafe(`alter system set synchronous_standby_names = '${STANDBY}'`);
  await sql`select pg_reload_conf()`;
  const isSynchronous = async () => {
    const rows =
      await sql`select 1 from pg_stat_replication where application_name = ${STANDBY} and sync_state = 'sync'`;
    return rows.length > 0;
  };
  await until(isSynchronous);
}

async function withSql<T>({ url }: OwnPostgres, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}
