import postgres from 'postgres';

/** A connection past the adapter, to look behind it or to do harm. `afterwards` is vitest's `onTestFinished`. */
export function rawConnection(afterwards: (end: () => Promise<void>) => void, url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  afterwards(() => sql.end({ timeout: 1 }));
  return sql;
}
