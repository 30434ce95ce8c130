import type { DescribedRows, Value } from '../connection/rows.ts';
import type { Transaction } from '../connection/transaction.ts';

/** Statements and transactions on a pool of connections. */
export interface PostgresPool {
  /**
   * Runs one statement in its own transaction. A read is repeated once if its connection is lost.
   * @param parameters the values of $1, $2, …; dates and JSON as text
   * @throws CountersignError `SERVICE_UNAVAILABLE`, or an error with an SQLSTATE in `code` that quotes no row
   */
  run(text: string, parameters: Value[], kind: 'read' | 'write'): Promise<DescribedRows>;
  /** Begins a transaction. At most two are open at the same time; others wait. */
  begin(): Promise<Transaction>;
  close(): Promise<void>;
}

/** Connections for tables beside those of the storage, by the same driver. */
export interface PostgresConnections {
  /** Opens a pool on demand. The pool of a storage is its own, which only closing the storage closes. */
  openPool(): PostgresPool;
  /**
   * Runs simple queries on a connection that is closed afterwards, which rolls back an open transaction. Several statements in one query
   * are one transaction.
   * @param options.isDirect whether to pass by the pooler, at `directUrl`
   * @throws PostgresOpenError; what `work` throws
   */
  connect<T>(work: (run: SimpleQuery) => Promise<T>, options: { readonly isDirect: boolean }): Promise<T>;
}

/** Runs a simple query, by default for at most five seconds. Returns the rows of its last statement. */
export type SimpleQuery = (sql: string, deadlineMs?: number) => Promise<readonly (readonly unknown[])[]>;
