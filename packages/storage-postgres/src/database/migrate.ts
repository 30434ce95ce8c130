import type { Target } from '../connection/connect-once.ts';
import { codeOf, faultOf, isOfServer } from '../connection/faults.ts';
import { PostgresOpenError } from '../errors.ts';
import { type Direct, withDirect } from './direct.ts';
import {
  appliedFrom,
  CREATE_MIGRATIONS_TABLE,
  isFromBeforeRelease,
  isNewer,
  isUnfinishedCopy,
  MIGRATIONS_TABLE,
  type Migration,
  pendingMigrations,
  SELECT_APPLIED,
} from './migrations.ts';

/** Key of the advisory lock: the bytes of `counters`. */
const LOCK = '7165064744911533417';

/**
 * Applies pending migrations under an advisory lock, which the server releases when the connection ends. Of several
 * processes at once, one migrates and the others wait; if it dies, the next one continues. Each migration and its entry
 * in the migrations table are one message and so one transaction.
 *
 * The lock belongs to a session: behind PgBouncer in transaction mode, `target` must name the server itself.
 * @returns names of the migrations applied now, oldest first
 * @throws PostgresOpenError
 */
export function migrateDatabase(options: {
  target: Target;
  applicationName: string;
  lockWaitMs: number;
}): Promise<readonly string[]> {
  return withDirect(options, async (direct) => {
    await takeLock(direct, options.lockWaitMs);
    try {
      return await applyPending(direct);
    } finally {
      await giveLockBack(direct);
    }
  });
}

async function applyPending(direct: Direct): Promise<readonly string[]> {
  const applied = await appliedMigrations(direct);
  refuseOtherVersions(applied);
  refuseUnfinishedCopy(applied);
  const pending = pendingMigrations(applied);
  if (applied.length === 0) await direct.run(CREATE_MIGRATIONS_TABLE);
  for (const { name, sql } of pending) await apply(direct, name, sql);
  return pending.map(({ name }) => name);
}

/** Takes the lock. The keepalive settings let the server notice within half a minute that a holder is gone. */
async function takeLock(direct: Direct, waitMs: number): Promise<void> {
  await direct.run('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
  try {
    await direct.run(
      `set lock_timeout = ${waitMs}; select pg_advisory_lock(${LOCK}); set lock_timeout = 0`,
      waitMs + 5_000,
    );
  } catch (cause) {
    if (codeOf(cause) !== '55P03') throw cause;
    const message = `Another process has been migrating the database for more than ${waitMs / 1000} s`;
    throw new PostgresOpenError('locked', message, { cause: faultOf(cause) });
  }
}

/**
 * Releases the lock. Closing the connection would too, but not behind a pooler, which keeps it open. After a lost
 * connection the
 * server has released it already, and the cause is reported elsewhere.
 */
async function giveLockBack(direct: Direct): Promise<void> {
  await direct.run(`select pg_advisory_unlock(${LOCK})`).catch(() => undefined);
}

async function apply(direct: Direct, name: string, sql: string): Promise<void> {
  try {
    // Without a deadline: it is one transaction, and others wait for the lock.
    await direct.run(sql, Number.POSITIVE_INFINITY);
  } catch (cause) {
    // Errors of the connection and these codes have messages of their own.
    if (!isOfServer(cause) || /^(?:42501|3F000|57P|08)/.test(cause.code)) throw cause;
    const message = `The migration ${name} failed, and nothing of it was kept: ${faultOf(cause).message}`;
    throw new PostgresOpenError('migration_failed', message.replaceAll('\n', ' '), { cause: faultOf(cause) });
  }
}

/** The oldest supported version, whose features schema and statements need. Tests run on 15 and 18. */
const OLDEST = 15;

/**
 * Checks the server's version and the applied migrations on one connection.
 * @throws PostgresOpenError if the database cannot be migrated, or has a newer schema
 */
export function inspectSchema(options: {
  target: Target;
  applicationName: string;
  /** Whether to accept a database with an unfinished copy. */
  forCopying?: boolean;
}): Promise<readonly Migration[]> {
  return withDirect(options, async (direct) => {
    const [[version] = []] = await direct.run("select current_setting('server_version_num')::integer / 10000");
    if (Number(version) < OLDEST) {
      const message = `The database at ${options.target.address} is Postgres ${Number(version)}, and ${OLDEST} or newer is needed`;
      throw new PostgresOpenError('server_too_old', message);
    }
    const applied = await appliedMigrations(direct);
    refuseOtherVersions(applied);
    if (!options.forCopying) refuseUnfinishedCopy(applied);
    return applied;
  });
}

/** Returns the applied migrations, oldest first; none if there is no migrations table yet. */
async function appliedMigrations(direct: Direct): Promise<readonly Migration[]> {
  const [[found] = []] = await direct.run(`select to_regclass('${MIGRATIONS_TABLE}') is not null`);
  if (found !== true) return [];
  return appliedFrom(await direct.run(SELECT_APPLIED));
}

/** @throws PostgresOpenError `before_release`, `newer_version` */
function refuseOtherVersions(applied: readonly Migration[]): void {
  if (isFromBeforeRelease(applied)) {
    const message =
      'The database was made by a version of Countersign before 0.2.0 and cannot be upgraded: use an empty database';
    throw new PostgresOpenError('before_release', message);
  }
  if (!isNewer(applied)) return;
  const message = `The database was migrated by a newer version of Countersign (${applied.at(-1)?.name}): use that one`;
  throw new PostgresOpenError('newer_version', message);
}

/** @throws PostgresOpenError `unfinished_copy` */
function refuseUnfinishedCopy(applied: readonly Migration[]): void {
  if (!isUnfinishedCopy(applied)) return;
  const message =
    'The database holds an unfinished copy: run `countersign copy` again, or begin with an empty one';
  throw new PostgresOpenError('unfinished_copy', message);
}
