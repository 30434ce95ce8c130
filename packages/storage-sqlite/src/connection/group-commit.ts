import { CountersignError } from '@countersign/domain';
import { storageClosed } from '@countersign/domain/storage';
import type { Connection } from './connection.ts';
import { isBusy } from './sqlite-codes.ts';

/** Result of an operation: `keep` decides whether its writes stay, `value` is returned in either case. */
export interface Step<T> {
  readonly keep: boolean;
  readonly value: T;
}

export interface GroupCommit {
  /**
   * Runs the operation inside a transaction that it may share with others, and settles when that is on the disk. The
   * operation is synchronous; its writes are kept or undone as a whole. If it throws, they are undone and the promise rejects.
   */
  write<T>(operation: () => Step<T>): Promise<T>;
  /** Begins no commit until the work is done. Writes wait meanwhile, as they wait for another process's lock. */
  pauseWhile<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new writes and waits for earlier ones. */
  close(): Promise<void>;
}

interface Waiting {
  /** Runs the operation and returns a callback that answers its caller, for after the commit. */
  readonly perform: () => Step<() => void>;
  readonly reject: (fault: unknown) => void;
  readonly deadline: number;
}

/** Maximum number of operations per transaction. It bounds how long the event loop is blocked. */
const BATCH = 256;

/** Pause between two attempts to get the write lock. */
const RETRY_MS = 10;

/**
 * Lets writes that arrive together share one commit, and so one wait for the disk (docs/decisions/0008-sqlite.md). Each runs in its
 * own savepoint, so that a failing one affects no other. Callers are answered after the commit; if it fails, nothing of the batch
 * is kept and all of them reject.
 *
 * @param waitMs how long a write may wait for another process's lock, in milliseconds
 * @param afterCommit runs after each commit, once its callers were answered
 */
export function createGroupCommit(
  connection: Connection,
  { waitMs, afterCommit }: { readonly waitMs: number; readonly afterCommit?: (() => void) | undefined },
): GroupCommit {
  const queue: Waiting[] = [];
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let scheduled = false;
  let closed = false;
  let pauses = 0;

  function enqueue<T>(operation: () => Step<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const perform = (): Step<() => void> => {
        const { keep, value } = operation();
        return { keep, value: () => resolve(value) };
      };
      queue.push({ perform, reject, deadline: performance.now() + waitMs });
      schedule();
    });
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (!hasBegun()) return;
    const batch = queue.splice(0, BATCH);
    if (queue.length > 0) schedule();
    const answers: (() => void)[] = [];
    try {
      for (const waiting of batch) answers.push(run(waiting));
      commit.run();
    } catch (fault) {
      const reason = rolledBack(fault);
      for (const { reject } of batch) reject(reason);
      return;
    }
    for (const answer of answers) answer();
    // The callers go on first.
    if (afterCommit !== undefined) setImmediate(afterCommit);
  }

  /** Takes the write lock, or rejects overdue writes and schedules another attempt. */
  function hasBegun(): boolean {
    if (pauses > 0) {
      retryLater(overdue(), unavailable('The file of the database is being rewritten'));
      return false;
    }
    try {
      begin.run();
      return true;
    } catch (fault) {
      if (isBusy(fault)) retryLater(overdue(), unavailable('The database is locked by another process', fault));
      else retryLater(queue.splice(0), rolledBack(fault));
      return false;
    }
  }

  function retryLater(refused: readonly Waiting[], reason: unknown): void {
    for (const { reject } of refused) reject(reason);
    if (queue.length === 0) return;
    scheduled = true;
    setTimeout(flush, RETRY_MS);
  }

  function overdue(): Waiting[] {
    const now = performance.now();
    const first = queue.findIndex(({ deadline }) => deadline > now);
    return queue.splice(0, first === -1 ? queue.length : first);
  }

  function run({ perform, reject }: Waiting): () => void {
    savepoint.run();
    try {
      const { keep, value: answer } = perform();
      if (!keep) undo.run();
      release.run();
      return answer;
    } catch (fault) {
      // A full or failing disk can make SQLite undo the whole transaction. Then every write of the batch rejects.
      if (!connection.inTransaction) throw fault;
      undo.run();
      release.run();
      return () => reject(fault);
    }
  }

  /** Ends the transaction and returns the error to report. */
  function rolledBack(fault: unknown): unknown {
    try {
      if (connection.inTransaction) rollback.run();
      return fault;
    } catch (second) {
      return new AggregateError([fault, second], 'A commit failed, and so did undoing it');
    }
  }

  return {
    write: (operation) => (closed ? Promise.reject(storageClosed()) : enqueue(operation)),
    async pauseWhile(work) {
      pauses += 1;
      try {
        return await work();
      } finally {
        pauses -= 1;
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      // First in, first out: once this one is settled, so is every write before it.
      if (queue.length > 0) await Promise.allSettled([enqueue(() => ({ keep: false, value: undefined }))]);
    },
  };
}

function unavailable(message: string, cause?: unknown): CountersignError {
  return new CountersignError('SERVICE_UNAVAILABLE', message, { cause });
}
