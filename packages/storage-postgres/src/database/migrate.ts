import { codeOf, faultOf } from '../connection/faults.ts';
import type { Target } from '../connection/target.ts';
import { PostgresOpenError } from '../errors.ts';
import { type Direct, withDirect } from './direct.ts';
import { appliedMigrations, refuseOtherVersions, refuseUnfinishedCopy } from './inspect-schema.ts';
import { CREATE_MIGRATIONS_TABLE, pendingMigrations } from './migrations.ts';

/** Names the lock among all advisory locks of a database: `countersign` in the letters of its first eight. */
const LOCK = '7165064744911533417';

/**
 * Applies what is pending while it holds a lock that the server takes back as soon as the connection ends: of several
 * at once one works and the others wait, and if it dies the next one goes on. Each migration is one message and so one
 * transaction, its entry in the migrations table included.
 *
 * The lock belongs to a session: behind PgBouncer in transaction mode, `target` has to name the server itself.
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

/** A holder whose machine is gone is noticed by the server within half a minute. */
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
 * The end of the connection gives it back too, but not of one that a pooler keeps. Where the connection is lost, the
 * server has taken it back, and what lost it is told.
 */
async function giveLockBack(direct: Direct): Promise<void> {
  await direct.run(`select pg_advisory_unlock(${LOCK})`).catch(() => undefined);
}

async function apply(direct: Direct, name: string, sql: string): Promise<void> {
  try {
    // As long as it takes: it is one transaction, and others wait for the lock.
    await direct.run(sql, Number.POSITIVE_INFINITY);
  } catch (cause) {
    const code = codeOf(cause);
    // Those, and a lost connection, have a message of their own.
    if (!/^(?!42501|3F000|57P|08)[0-9A-Z]{5}$/.test(code)) throw cause;
    const message = `The migration ${name} failed, and nothing of it was kept: ${faultOf(cause).message}`;
    throw new PostgresOpenError('migration_failed', message.replaceAll('\n', ' '), { cause: faultOf(cause) });
  }
}
