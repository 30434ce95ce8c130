import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type SqliteConnection, whileBusy } from './sqlite-connection.ts';

/**
 * Extends kysely's dialect for better-sqlite3: transactions take the write lock when they begin, and waiting for
 * another process's lock does not block the event loop.
 */
export function createSqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(sqlite: SqliteConnection): Driver {
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => whileBusy(() => execute<R>(sqlite, query)),
    streamQuery() {
      throw new Error('Nothing is streamed here');
    },
  };
  let free: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;

  return {
    init: async () => undefined,
    async acquireConnection() {
      // One at a time: a statement that runs during another caller's transaction would become part of it.
      const before = free;
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      await before;
      release = resolve;
      return connection;
    },
    releaseConnection: async () => release(),
    beginTransaction: () => whileBusy(() => void sqlite.exec('BEGIN IMMEDIATE')),
    commitTransaction: () => whileBusy(() => void sqlite.exec('COMMIT')),
    async rollbackTransaction() {
      // SQLite has already undone the transaction when the disk was full or failed.
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    },
    destroy: async () => void sqlite.close(),
  };
}

function execute<R>(sqlite: SqliteConnection, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = sqlite.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters) as R[] };
  const { changes } = statement.run(parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}
