import { CountersignError } from '@countersign/domain';
import { type Connection, isBusy } from './connection.ts';

/** What an operation came to: `keep` decides whether its writes stay, `value` is answered in either case. */
export interface Step<T> {
  readonly keep: boolean;
  readonly value: T;
}

export interface GroupCommit {
  /**
   * Runs the operation inside a transaction that it may share with others, and settles once that is safe on the
   * disk. The operation is synchronous and its writes are all kept or all undone. When it throws, they are undone
   * and the promise rejects.
   */
  write<T>(operation: () => Step<T>): Promise<T>;
  /** Refuses what comes later and waits for what came before. */
  close(): Promise<void>;
}

interface Waiting {
  /** Runs the operation; gives what tells its caller, for after the commit. */
  readonly perform: () => Step<() => void>;
  readonly reject: (fault: unknown) => void;
  readonly deadline: number;
}

/** Operations in one transaction at most: it bounds how long the event loop stands still. */
const BATCH = 256;

/** Pause between two attempts to get the write lock. */
const RETRY_MS = 10;

/**
 * Writes that arrive together share one commit, and so one wait for the disk (DESIGN section 6). Each runs in its own
 * savepoint, so that one that fails takes nobody with it. Nobody is answered before the commit: if it fails, nothing
 * of the batch is kept and all are told.
 */
export function createGroupCommit(connection: Connection, { waitMs }: { waitMs: number }): GroupCommit {
  const queue: Waiting[] = [];
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const savepoint = connection.prepare('SAVEPOINT operation');
  const release = connection.prepare('RELEASE operation');
  const undo = connection.prepare('ROLLBACK TO operation');
  let scheduled = false;
  let closed = false;

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
  }

  /** Gets the write lock, or sees to it that the waiting are told or tried again. */
  function hasBegun(): boolean {
    try {
      begin.run();
      return true;
    } catch (fault) {
      const [refused, reason] = isBusy(fault)
        ? [overdue(), unavailable(fault)]
        : [queue.splice(0), rolledBack(fault)];
      for (const { reject } of refused) reject(reason);
      if (queue.length > 0) {
        scheduled = true;
        setTimeout(flush, RETRY_MS);
      }
      return false;
    }
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
      // A full disk or a failing one can make SQLite undo the whole transaction: then all are told.
      if (!connection.inTransaction) throw fault;
      undo.run();
      release.run();
      return () => reject(fault);
    }
  }

  /** Leaves no transaction behind, and gives what is to be told. */
  function rolledBack(fault: unknown): unknown {
    try {
      if (connection.inTransaction) rollback.run();
      return fault;
    } catch (second) {
      return new AggregateError([fault, second], 'A commit failed, and so did undoing it');
    }
  }

  return {
    write: (operation) => (closed ? Promise.reject(new Error('The storage is closed')) : enqueue(operation)),
    async close() {
      if (closed) return;
      closed = true;
      // First in, first out: once this one is settled, so is every write before it.
      if (queue.length > 0) await Promise.allSettled([enqueue(() => ({ keep: false, value: undefined }))]);
    },
  };
}

function unavailable(cause: unknown): CountersignError {
  return new CountersignError('SERVICE_UNAVAILABLE', 'The database is locked by another process', { cause });
}
