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
import type pg from 'pg';
import { faultOf, isConnectionLost } from './postgres-connection.ts';

interface Connection extends DatabaseConnection {
  readonly client: pg.PoolClient;
  isLost(): boolean;
}

/**
 * Extends kysely's dialect for pg: a connection that broke or missed its deadline does not return to the pool, and
 * errors quote no row.
 */
export function createPostgresDialect(pool: pg.Pool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(pool: pg.Pool): Driver {
  const run = async (connection: DatabaseConnection, sql: string): Promise<void> => {
    await connection.executeQuery({ sql, parameters: [] } as unknown as CompiledQuery);
  };
  return {
    init: async () => undefined,
    async acquireConnection() {
      try {
        return connectionOf(await pool.connect());
      } catch (error) {
        throw faultOf(error);
      }
    },
    async releaseConnection(connection) {
      const { client, isLost } = connection as Connection;
      client.release(isLost());
    },
    beginTransaction: (connection) => run(connection, 'begin'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    destroy: () => pool.end(),
  };
}

function connectionOf(client: pg.PoolClient): Connection {
  let lost = false;
  return {
    client,
    isLost: () => lost,
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      try {
        // Statements are unnamed, because PgBouncer in transaction mode may not support named ones.
        const { rows, rowCount } = await client.query<pg.QueryResultRow>(sql, [...parameters]);
        return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
      } catch (error) {
        if (isConnectionLost(error)) lost = true;
        throw faultOf(error);
      }
    },
    streamQuery() {
      throw new Error('Nothing is streamed here');
    },
  };
}
