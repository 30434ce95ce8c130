import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { PostgresPool, PostgresRows, PostgresTransaction, PostgresValue } from './postgres-connections.ts';

/** Runs kysely's queries on the pool of the storage. A statement outside a transaction shares a connection with others. */
export function createPostgresDialect(pool: PostgresPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(pool: PostgresPool): Driver {
  /** The open transaction of each of kysely's connections. Those without one have no connection of the pool, either. */
  const transactions = new WeakMap<DatabaseConnection, PostgresTransaction>();

  async function end(connection: DatabaseConnection, statement: 'commit' | 'rollback'): Promise<void> {
    const transaction = transactions.get(connection);
    transactions.delete(connection);
    await transaction?.end(statement);
  }

  return {
    init: async () => undefined,
    async acquireConnection() {
      const connection: DatabaseConnection = {
        async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
          const values = parameters.map(postgresValue);
          const transaction = transactions.get(connection);
          const kind = query.kind === 'SelectQueryNode' ? 'read' : 'write';
          const rows = await (transaction?.run(sql, values) ?? pool.run(sql, values, kind));
          return { rows: objectsOf(rows) as R[], numAffectedRows: BigInt(rows.count) };
        },
        streamQuery() {
          throw new Error('Nothing is streamed here');
        },
      };
      return connection;
    },
    releaseConnection: async () => undefined,
    async beginTransaction(connection, settings) {
      if (Object.values(settings).some((setting) => setting !== undefined)) {
        throw new TypeError('a transaction on the pool has no isolation level or access mode of its own');
      }
      transactions.set(connection, await pool.begin());
    },
    commitTransaction: (connection) => end(connection, 'commit'),
    // The pool gives up a connection whose transaction does not end. The caller gets the error that led here.
    rollbackTransaction: (connection) => end(connection, 'rollback').catch(() => undefined),
    destroy: () => pool.close(),
  };
}

function postgresValue(parameter: unknown): PostgresValue {
  switch (typeof parameter) {
    case 'string':
    case 'number':
    case 'boolean':
      return parameter;
    default:
      if (parameter === null) return null;
      throw new TypeError(`a statement has a parameter of type ${typeof parameter}`);
  }
}

/** `timestamptz` in Postgres's catalogue of types. */
const MOMENT_TYPE = 1184;

function objectsOf(rows: PostgresRows): Readonly<Record<string, unknown>>[] {
  const { columns } = rows;
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name, type }, index) => [name, type === MOMENT_TYPE ? dateIn(row[index]) : row[index]]),
    ),
  );
}

/** Reads Postgres's ISO output in UTC, such as `2026-11-30 06:03:19.116+00`. */
function dateIn(value: unknown): Date | null {
  return typeof value === 'string' ? new Date(`${value.slice(0, -'+00'.length).replace(' ', 'T')}Z`) : null;
}
