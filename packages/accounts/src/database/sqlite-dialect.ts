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
import { isDamage, type SqliteConnection, whileBusy } from './sqlite-connection.ts';
import type { WriteGuard } from './tables.ts';

/**
 * Extends kysely's dialect for better-sqlite3: transactions take the write lock when they begin, and waiting for
 * another process's lock does not block the event loop. Nothing is written into a file that is found damaged.
 */
export function createSqliteDialect(connection: SqliteConnection, guard: WriteGuard = NO_GUARD): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(connection, guard),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

type Statement = ReturnType<SqliteConnection['prepare']>;
type PreparedStatements = (sql: string) => Statement;

/** For a connection that shares the file with no storage of this process. */
const NO_GUARD: WriteGuard = { requireSound: () => undefined, stopWrites: () => undefined };

function createDriver(sqlite: SqliteConnection, guard: WriteGuard): Driver {
  async function guarded<T>(attempt: () => T): Promise<T> {
    try {
      return await whileBusy(attempt);
    } catch (error) {
      if (error instanceof Error && isDamage(error.cause)) guard.stopWrites(error.cause);
      throw error;
    }
  }
  /** A statement that writes, or that makes earlier ones last. */
  const write = (sql: string) =>
    guarded(() => {
      guard.requireSound();
      sqlite.exec(sql);
    });
  const prepared = createPreparedStatements(sqlite);
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => guarded(() => execute<R>(prepared, query, guard)),
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
    beginTransaction: () => write('BEGIN IMMEDIATE'),
    commitTransaction: () => write('COMMIT'),
    async rollbackTransaction() {
      // SQLite has already undone the transaction when the disk was full or failed.
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK');
    },
    destroy: async () => void sqlite.close(),
  };
}

/** Statements that are kept. A list of values of each length is one of its own, so their number is limited. */
const KEPT_STATEMENTS = 200;

/** Prepares each statement once: every request of a page reads the session, and preparing took longer than running. */
function createPreparedStatements(sqlite: SqliteConnection): PreparedStatements {
  const kept = new Map<string, Statement>();
  return (sql) => {
    const found = kept.get(sql);
    if (found !== undefined) return found;
    if (kept.size >= KEPT_STATEMENTS) kept.clear();
    const statement = sqlite.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
}

function execute<R>(
  prepared: PreparedStatements,
  { sql, parameters }: CompiledQuery,
  guard: WriteGuard,
): QueryResult<R> {
  const statement = prepared(sql);
  if (!statement.readonly) guard.requireSound();
  if (statement.reader) return { rows: statement.all(parameters) as R[] };
  const { changes } = statement.run(parameters);
  return { rows: [], numAffectedRows: BigInt(changes) };
}
