import postgres from 'postgres';

/**
 * Opens a direct connection, without the adapter, to inspect or damage the database. `afterwards` is vitest's
 * `onTestFinished`.
 */
export function rawConnection(afterwards: (end: () => Promise<void>) => void, url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  afterwards(() => sql.end({ timeout: 1 }));
  return sql;
}
