/** The value of a parameter. Dates are ISO 8601. */
export type PostgresValue = string | number | boolean | null;

/** Rows as arrays, the number of affected rows, and the columns with the numbers of their types in Postgres. */
export type PostgresRows = readonly (readonly unknown[])[] & {
  readonly count: number;
  readonly columns: readonly { readonly name: string; readonly type: number }[];
};

/** A transaction on a connection of its own, which it ends once, also after a failed statement. */
export interface PostgresTransaction {
  run(text: string, parameters: PostgresValue[]): Promise<PostgresRows>;
  end(statement: 'commit' | 'rollback'): Promise<void>;
}

/** Statements in a transaction each, and transactions. Errors of the server have their SQLSTATE in `code` and quote no row. */
export interface PostgresPool {
  /** Runs a statement. One that only reads may be repeated. @throws CountersignError `SERVICE_UNAVAILABLE` */
  run(text: string, parameters: PostgresValue[], kind: 'read' | 'write'): Promise<PostgresRows>;
  /** @throws CountersignError `SERVICE_UNAVAILABLE` */
  begin(): Promise<PostgresTransaction>;
  close(): Promise<void>;
}

/** Runs a simple query within a time in milliseconds, and returns the rows of its last statement. Errors may quote rows. */
export type SimpleQuery = (sql: string, deadlineMs?: number) => Promise<readonly (readonly unknown[])[]>;

/**
 * The connections of a Postgres storage, which accounts use too: `connections` of a `PostgresStorage`, or `connectPostgres` of
 * `@countersign/storage-postgres`.
 */
export interface PostgresConnections {
  /** Opens a pool, or shares that of an open storage. */
  openPool(): PostgresPool;
  /** Runs simple queries on a connection that is closed afterwards. @param options.isDirect whether to pass by the pooler */
  connect<T>(work: (run: SimpleQuery) => Promise<T>, options: { readonly isDirect: boolean }): Promise<T>;
}
