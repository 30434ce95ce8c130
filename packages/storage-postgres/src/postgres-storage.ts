import type { Storage } from '@countersign/domain/storage';
import { targetOf } from './connection/connect-once.ts';
import type { PoolStats } from './connection/pool-stats.ts';
import { createSession } from './connection/session.ts';
import { createConnections, poolOf } from './database/connections.ts';
import { type ReplacedStatistics, replaceErasedStatistics } from './database/erased-statistics.ts';
import { APPLIED, factsOf, sizeOf } from './database/facts.ts';
import { inspectSchema, migrateDatabase } from './database/migrate.ts';
import { appliedFrom, isNewer, isUnfinishedCopy, pendingMigrations } from './database/migrations.ts';
import type { PostgresConnections } from './database/postgres-connections.ts';
import type { PostgresFacts } from './database/postgres-facts.ts';
import { PostgresOpenError } from './errors.ts';
import { createApiKeyRepository } from './repositories/api-key-repository.ts';
import { createAppearanceRepository } from './repositories/appearance-repository.ts';
import { createAuditLog } from './repositories/audit-log.ts';
import { createClientRepository } from './repositories/client-repository.ts';
import { createChargedCreation } from './repositories/creation/charged-creation.ts';
import { createDataKeyRepository } from './repositories/data-key-repository.ts';
import { createExportRepository } from './repositories/export-repository.ts';
import { createHandOverRepository } from './repositories/hand-over-repository.ts';
import { createIndexRepository } from './repositories/index-repository.ts';
import { createMailQueue } from './repositories/mail-queue.ts';
import { createReadingRepository } from './repositories/reading-repository.ts';
import { createRetentionRepository } from './repositories/retention/retention-repository.ts';
import { createCounterRepository } from './repositories/verification-counts.ts';
import { createVerificationRepository } from './repositories/verification-repository.ts';
import { createWebhookRepository } from './repositories/webhooks/webhook-repository.ts';

/** Options of `createPostgresStorage`. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:5432/database`, with `?sslmode=require` or `verify-full` for encryption. */
  readonly url: string;
  /**
   * Address of the server itself, if `url` names a PgBouncer in transaction mode: migrations hold a lock that belongs
   * to a session. Default: `url`.
   */
  readonly directUrl?: string | undefined;
  /** Maximum number of connections, opened on demand. Default: 10. */
  readonly poolSize?: number | undefined;
  /**
   * Whether statements are prepared under names, which is faster; default true. PgBouncer in transaction mode needs
   * false, or `max_prepared_statements` from its version 1.21 on.
   */
  readonly namedStatements?: boolean | undefined;
  /** Whether to apply pending migrations; default true. With false, an outdated schema is refused. */
  readonly migrate?: boolean | undefined;
  /** How long a query may take, in ms, before its caller gets `SERVICE_UNAVAILABLE`; default 5,000. */
  readonly deadlineMs?: number | undefined;
  /** How long another process may migrate before opening gives up, in ms; default 60,000. */
  readonly lockWaitMs?: number | undefined;
  /** Name of the connections in the server's lists. Default: `countersign`. */
  readonly applicationName?: string | undefined;
}

/** A storage on Postgres, with what operators need beyond the ports. */
export interface PostgresStorage extends Storage {
  /** Shares the pool, for tables beside those of the storage: `createAccounts` of `@countersign/accounts` takes them. */
  readonly connections: PostgresConnections;
  /** Returns the size of the whole database, as its server counts it. */
  sizeBytes(): Promise<number>;
  /** Returns what the pool of connections is doing. */
  poolStats(): PoolStats;
  /**
   * Replaces statistics of the planner that may contain values which were erased since. Needs the owner of the tables, or from Postgres 17
   * on MAINTAIN on them, at `directUrl`.
   */
  replaceErasedStatistics(): Promise<ReplacedStatistics>;
  /** Returns how many creations wait for others of their client. They hold no connection meanwhile. */
  creationsWaiting(): number;
}

const POOL_SIZE = 10;
const DEADLINE_MS = 5_000;
const LOCK_WAIT_MS = 60_000;
const APPLICATION_NAME = 'countersign';

/**
 * Opens a storage in a PostgreSQL database, version 15 or newer. Any number of processes may use it at once. Each
 * operation is one statement, so a lost connection leaves no partial change.
 *
 * After `SERVICE_UNAVAILABLE` for a write, its outcome is unknown if the connection died while it ran.
 * @throws PostgresOpenError if the database cannot or must not be used
 *
 * @example
 * const storage = await createPostgresStorage({ url: 'postgres://countersign:secret@localhost/countersign' });
 */
export async function createPostgresStorage(options: PostgresStorageOptions): Promise<PostgresStorage> {
  const { poolSize = POOL_SIZE, deadlineMs = DEADLINE_MS, applicationName = APPLICATION_NAME } = options;
  const target = targetOf(options.url);
  const direct = targetOf(options.directUrl ?? options.url);

  const pending = pendingMigrations(await inspectSchema({ target, applicationName }));
  if (pending.length > 0) {
    if (options.migrate === false) {
      const message = `The schema of database ${target.database} is older than this version needs: migrate it first`;
      throw new PostgresOpenError('outdated', message);
    }
    const { lockWaitMs = LOCK_WAIT_MS } = options;
    await migrateDatabase({ target: direct, applicationName, lockWaitMs });
  }

  const isNamed = options.namedStatements ?? true;
  const session = createSession({ target, applicationName, size: poolSize, isNamed, deadlineMs });
  const connections = { ...connectPostgres(options), openPool: () => poolOf(session) };
  const creation = createChargedCreation(session);
  return {
    verifications: createVerificationRepository(session, creation),
    apiKeys: createApiKeyRepository(session),
    clients: createClientRepository(session),
    webhooks: createWebhookRepository(session),
    dataKeys: createDataKeyRepository(session),
    audit: createAuditLog(session),
    retention: createRetentionRepository(session),
    exports: createExportRepository(session),
    handOvers: createHandOverRepository(session),
    readings: createReadingRepository(session),
    indexes: createIndexRepository(session),
    mails: createMailQueue(session),
    appearances: createAppearanceRepository(session),
    counters: createCounterRepository(session),
    connections,
    async ping() {
      const applied = appliedFrom(await session.read(APPLIED, {}));
      if (isUnfinishedCopy(applied)) throw new Error(`A copy into database ${target.database} is not finished`);
      if (isNewer(applied) || pendingMigrations(applied).length > 0) {
        throw new Error(`The schema of database ${target.database} is not the one of this version`);
      }
    },
    sizeBytes: () => sizeOf(session),
    poolStats: session.poolStats,
    replaceErasedStatistics: () => replaceErasedStatistics({ target: direct, applicationName }),
    creationsWaiting: creation.waiting,
    close: session.close,
  };
}

/**
 * Connects to the database of a storage without opening it, for tables beside those of the storage. Connects on demand.
 *
 * @example
 * const accounts = { kind: 'postgres', connections: connectPostgres({ url: 'postgres://countersign:secret@localhost/countersign' }) };
 */
export function connectPostgres(
  options: Omit<PostgresStorageOptions, 'migrate' | 'lockWaitMs'>,
): PostgresConnections {
  const { poolSize = POOL_SIZE, namedStatements = true, deadlineMs = DEADLINE_MS } = options;
  const { url, directUrl, applicationName = APPLICATION_NAME } = options;
  return createConnections({
    url,
    directUrl,
    size: poolSize,
    isNamed: namedStatements,
    deadlineMs,
    applicationName,
  });
}

/**
 * Applies pending migrations without opening a storage.
 * @returns names of the migrations applied now, oldest first
 * @throws PostgresOpenError as `createPostgresStorage`
 */
export async function migratePostgres(
  options: Pick<PostgresStorageOptions, 'url' | 'directUrl' | 'lockWaitMs' | 'applicationName'>,
): Promise<readonly string[]> {
  const { lockWaitMs = LOCK_WAIT_MS, applicationName = APPLICATION_NAME } = options;
  const target = targetOf(options.directUrl ?? options.url);
  if (pendingMigrations(await inspectSchema({ target, applicationName })).length === 0) return [];
  return migrateDatabase({ target, applicationName, lockWaitMs });
}

/**
 * Collects what `countersign doctor` reports about a database, migrated or not. Changes nothing.
 * @throws PostgresOpenError as `createPostgresStorage`, and `SERVICE_UNAVAILABLE`
 */
export async function inspectPostgres(
  options: Omit<PostgresStorageOptions, 'migrate' | 'lockWaitMs'>,
): Promise<PostgresFacts> {
  const { poolSize = POOL_SIZE, deadlineMs = DEADLINE_MS, applicationName = APPLICATION_NAME } = options;
  const target = targetOf(options.url);
  const direct = targetOf(options.directUrl ?? options.url);
  const applied = await inspectSchema({ target, applicationName });
  const isNamed = options.namedStatements ?? true;
  const session = createSession({ target, applicationName, size: 1, isNamed, deadlineMs });
  try {
    return await factsOf(session, { target, direct, applied, poolSize, applicationName });
  } finally {
    await session.close();
  }
}
