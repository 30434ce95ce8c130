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

/** Keeps Postgres from analyzing and vacuuming the tables by itself, which would change plans during a test. */
export async function stopAutovacuum(raw: postgres.Sql): Promise<void> {
  const statements = await raw
    .unsafe(
      `select format('alter table %I set (autovacuum_enabled = false)', relname) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    .values();
  for (const [statement] of statements) await raw.unsafe(String(statement));
}
