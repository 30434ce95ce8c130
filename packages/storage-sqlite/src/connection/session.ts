import { setImmediate as nextIteration } from 'node:timers/promises';
import { CountersignError } from '@countersign/domain';
import { storageClosed } from '@countersign/domain/storage';
import { type CheckpointApart, createCheckpoints } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { isBusy, isDamage, isOutage } from './sqlite-codes.ts';

/** The repositories' access to the database. */
export interface Session extends Pick<GroupCommit, 'write' | 'pauseWhile'> {
  readonly connection: Connection;
  /**
   * Runs one statement that only reads. Rejects with `SERVICE_UNAVAILABLE` while the disk fails or another process holds the
   * lock, and for a damaged database.
   */
  read<T>(query: () => T): Promise<T>;
  /** Runs several statements on one snapshot. */
  readAtOnce<T>(query: () => T): Promise<T>;
  /**
   * Reads a page of many rows, as `readAtOnce`. Pages take turns: one in each iteration of the event loop. So other requests
   * wait for one page at most, and also a caller that reads page after page lets them in.
   */
  readPage<T>(query: () => T): Promise<T>;
  /** Runs a read on another connection to the file. Rejects as `read` does. */
  readApart<T>(read: () => Promise<T>): Promise<T>;
  /** Refuses all writes from now on, because the database is damaged. A statement that meets damage does so too. */
  stopWrites(cause: unknown): void;
  /** Throws if the database was found damaged. */
  requireSound(): void;
  /** Whether the database was not found damaged. */
  isSound(): boolean;
  /**
   * Refuses new calls, waits for writes that have begun and closes the connection.
   * @param before runs after calls are refused, and before the connection closes
   */
  close(before?: () => Promise<void>): Promise<void>;
}

export interface SessionOptions {
  /** How long a write may wait for another process's lock, in milliseconds. */
  readonly waitMs: number;
  /** Without it, SQLite checkpoints within commits. */
  readonly checkpointApart?: CheckpointApart | undefined;
  /** Called once, with the findings, when the database is found damaged. */
  readonly onDamage?: ((reason: string) => void) | undefined;
}

/**
 * One connection reads and writes: SQLite answers synchronously, so a read never falls between the beginning of a group
 * commit and its end. Only long reads use another connection.
 */
export function createSession(
  connection: Connection,
  { waitMs, checkpointApart, onDamage }: SessionOptions,
): Session {
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');

  let closing: Promise<void> | undefined;
  let damage: CountersignError | undefined;

  /** Words errors that have their cause in the file or its disk. Remembers damage. */
  const explained = (fault: unknown): unknown => {
    const cause: unknown = fault instanceof AggregateError ? fault.errors[0] : fault;
    if (isBusy(cause)) return unavailable('The database is locked by another process', cause);
    if (isOutage(cause)) return unavailable('The disk of the database is full, fails or is read-only', cause);
    if (!isDamage(cause)) return fault;
    stopWrites(cause);
    return damage;
  };

  const stopWrites = (cause: unknown): void => {
    if (damage !== undefined) return;
    damage = unavailable('The database is damaged: restore a backup', cause);
    onDamage?.(cause instanceof Error ? cause.message : String(cause));
  };

  const afterCommit =
    checkpointApart &&
    createCheckpoints(connection, { checkpointApart, onFault: (fault) => void explained(fault) });
  const writer = createGroupCommit(connection, { waitMs, afterCommit });

  const requireSound = (): void => {
    if (damage !== undefined) throw damage;
  };

  const requireOpen = (): void => {
    if (closing !== undefined) throw storageClosed();
  };

  const read = async <T>(query: () => T): Promise<T> => {
    requireOpen();
    try {
      return query();
    } catch (fault) {
      throw explained(fault);
    }
  };

  const readAtOnce = <T>(query: () => T): Promise<T> =>
    read(() => {
      begin.run();
      try {
        const result = query();
        commit.run();
        return result;
      } finally {
        if (connection.inTransaction) rollback.run();
      }
    });

  let pageTurn = Promise.resolve();
  const turnOfPage = (): Promise<void> => {
    const turn = pageTurn;
    pageTurn = turn.then(() => nextIteration());
    return turn;
  };

  return {
    connection,
    async write(operation) {
      requireOpen();
      requireSound();
      try {
        return await writer.write(operation);
      } catch (fault) {
        throw explained(fault);
      }
    },
    pauseWhile: writer.pauseWhile,
    stopWrites,
    requireSound,
    isSound: () => damage === undefined,
    read,
    async readApart(readOther) {
      requireOpen();
      try {
        return await readOther();
      } catch (fault) {
        throw explained(fault);
      }
    },
    readAtOnce,
    async readPage(query) {
      await turnOfPage();
      return readAtOnce(query);
    },
    close: (before) => (closing ??= close(before)),
  };

  async function close(before?: () => Promise<void>): Promise<void> {
    await before?.();
    await writer.close();
    // The last connection to a database moves the write-ahead log into it and removes it.
    connection.close();
  }
}

function unavailable(message: string, cause: unknown): CountersignError {
  return new CountersignError('SERVICE_UNAVAILABLE', message, { cause });
}
