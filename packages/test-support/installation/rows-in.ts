import type { ServerProcess } from '../processes/server-process.ts';
import { rowsOf } from './database-file.ts';
import { withDatabase } from './postgres-database.ts';

/** Runs a query on a server's database, SQLite or Postgres. */
export async function rowsIn(
  { databaseFile, env: { DATABASE_URL: url } }: Pick<ServerProcess, 'databaseFile' | 'env'>,
  query: string,
): Promise<readonly Record<string, unknown>[]> {
  return url === undefined ? rowsOf(databaseFile, query) : withDatabase(url, (sql) => sql.unsafe(query));
}
