import type { TransferSource, TransferTarget } from '@countersign/domain/storage';
import { type Target, targetOf } from '../connection/connect-once.ts';
import { createSession, type Session } from '../connection/session.ts';
import { APPLIED } from '../database/facts.ts';
import { inspectSchema, migrateDatabase } from '../database/migrate.ts';
import { appliedFrom, isUnfinishedCopy, pendingMigrations } from '../database/migrations.ts';
import { PostgresOpenError } from '../errors.ts';
import { ANALYZE, BEGIN, createTransferReader, createTransferWriter, FINISH } from './copied-rows.ts';

/** Options of `createPostgresTransferSource` and `createPostgresTransferTarget`. */
export interface PostgresTransferOptions {
  /** As for `createPostgresStorage`. Behind PgBouncer in transaction mode, it must name the server itself. */
  readonly url: string;
  /** How long a statement may take, in ms; default 60,000. */
  readonly deadlineMs?: number | undefined;
  /** How long another process may migrate before opening gives up, in ms; default 60,000. */
  readonly lockWaitMs?: number | undefined;
  /** Name of the connection in the server's lists. Default: `countersign copy`. */
  readonly applicationName?: string | undefined;
}

interface Closable {
  /** Ends the connection. Closing twice is allowed. */
  close(): Promise<void>;
}
/** A database that is copied from. Close it after the copy. */
export type PostgresTransferSource = TransferSource & Closable;
/** A database that is copied into. Close it after the copy. */
export type PostgresTransferTarget = TransferTarget & Closable;

const DEADLINE_MS = 60_000;
const LOCK_WAIT_MS = 60_000;
const APPLICATION_NAME = 'countersign copy';

/**
 * Opens the database to copy from. It is not migrated. Servers may write to it during the copy; the comparison at the
 * end finds such changes.
 * @throws PostgresOpenError as `createPostgresStorage` without migrating
 */
export async function createPostgresTransferSource(
  options: PostgresTransferOptions,
): Promise<PostgresTransferSource> {
  const { target, applicationName } = placeOf(options);
  if (pendingMigrations(await inspectSchema({ target, applicationName })).length > 0) {
    const message = `The schema of database ${target.database} is older than this version needs: migrate it first`;
    throw new PostgresOpenError('outdated', message);
  }
  const session = open(options);
  return { ...createTransferReader(session), close: session.close };
}

/**
 * Opens the database to copy into, and migrates it. No server starts on it until the copy is finished.
 * @throws PostgresOpenError as `createPostgresStorage`
 */
export async function createPostgresTransferTarget(
  options: PostgresTransferOptions,
): Promise<PostgresTransferTarget> {
  const { target, applicationName } = placeOf(options);
  if (pendingMigrations(await inspectSchema({ target, applicationName, forCopying: true })).length > 0) {
    await migrateDatabase({ target, applicationName, lockWaitMs: options.lockWaitMs ?? LOCK_WAIT_MS });
  }
  const session = open(options);
  const { read, write } = session;
  return {
    ...createTransferReader(session),
    hasUnfinishedCopy: async () => isUnfinishedCopy(appliedFrom(await read(APPLIED, {}))),
    begin: async () => void (await write(BEGIN, {})),
    write: createTransferWriter(session),
    async finish() {
      await write(ANALYZE, {});
      await write(FINISH, {});
    },
    close: session.close,
  };
}

function placeOf(options: PostgresTransferOptions): { target: Target; applicationName: string } {
  return { target: targetOf(options.url), applicationName: options.applicationName ?? APPLICATION_NAME };
}

/** One connection, since batches are sequential, without named statements, since there are few. */
function open(options: PostgresTransferOptions): Session {
  return createSession({
    ...placeOf(options),
    size: 1,
    isNamed: false,
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
  });
}
