import { storageClosed } from '@countersign/domain/storage';
import { createPool, type Pool, type PoolOptions, type StatementKind } from './pool.ts';
import type { PoolStats } from './pool-stats.ts';
import type { Rows } from './rows.ts';
import type { Statement, Value } from './statement.ts';

type Values = Readonly<Record<string, Value>>;

export type Run = (statement: Statement, values: Values) => Promise<Rows>;

/** Runs the statements of one operation. */
export interface Runs {
  /** As `Session.read`. */
  readonly read: Run;
  /** As `Session.write`. */
  readonly write: Run;
}

/** The access to the database. Statements of the repositories are atomic and need no transactions. */
export interface Session {
  /** Runs a statement that only reads. Repeats it once if the connection dies. */
  read: Run;
  /** Runs a look-up of a few rows by an index, which may share a batch with others. */
  lookUp: Run;
  /** Runs a statement that writes, at most once. */
  write: Run;
  /** Runs several statements of one operation. Closing waits for the last of them. */
  operation<T>(work: (runs: Runs) => Promise<T>): Promise<T>;
  /** Maximum duration of a statement in ms, including the wait for a connection. */
  readonly deadlineMs: number;
  /** Refuses new calls, waits for running statements and closes the connections. */
  close(): Promise<void>;
}

/** A session on a pool of connections. */
export interface PooledSession extends Session {
  /** As `Pool.run`. */
  run: Pool['run'];
  /** As `Pool.begin`. Closing waits for its end. */
  begin: Pool['begin'];
  /** Returns what the pool is doing. */
  poolStats(): PoolStats;
}

export function createSession(options: PoolOptions): PooledSession {
  const pool = createPool(options);
  const operations = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const runAs =
    (kind: StatementKind): Run =>
    ({ text, parametersOf }, values) =>
      pool.run(text, parametersOf(values), kind);

  const runs: Runs = { read: runAs('read'), write: runAs('write') };

  const unlessClosed =
    (run: Run): Run =>
    (statement, values) =>
      closing === undefined ? run(statement, values) : Promise.reject(storageClosed());

  async function close(): Promise<void> {
    await Promise.allSettled(operations);
    await pool.idle();
    await pool.end();
  }

  return {
    read: unlessClosed(runs.read),
    lookUp: unlessClosed(runAs('look-up')),
    write: unlessClosed(runs.write),
    async operation(work) {
      if (closing !== undefined) throw storageClosed();
      const done = work(runs);
      operations.add(done);
      try {
        return await done;
      } finally {
        operations.delete(done);
      }
    },
    run: (...statement) => (closing === undefined ? pool.run(...statement) : Promise.reject(storageClosed())),
    begin: () => (closing === undefined ? pool.begin() : Promise.reject(storageClosed())),
    deadlineMs: options.deadlineMs,
    poolStats: pool.stats,
    close: () => (closing ??= close()),
  };
}
