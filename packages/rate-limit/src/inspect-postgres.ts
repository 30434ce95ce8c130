import { createPostgresPool } from './postgres-pool.ts';
import { TABLE } from './postgres-table.ts';

/** What `countersign doctor` reports about the table of the rate limits. */
export interface RateLimitTableFacts {
  readonly table: string;
  /** False before the first server creates it. */
  readonly exists: boolean;
  /** Whether this user may count in it, or create it. */
  readonly isUsable: boolean;
  /** Windows, ended ones included; null without a table that can be read. */
  readonly windows: number | null;
}

/**
 * Looks for the table of the rate limits. Changes nothing.
 * @throws {TypeError} if the URL is not a Postgres URL
 * @throws {Error} with a message of one line, if the server does not answer before the deadline
 */
export async function inspectRateLimitTable({
  url,
  namedStatements = true,
  deadlineMs = 2_000,
}: {
  readonly url: string;
  /** As for `createPostgresRateLimiter`. */
  readonly namedStatements?: boolean;
  /** Default: 2,000. */
  readonly deadlineMs?: number;
}): Promise<RateLimitTableFacts> {
  const applicationName = 'countersign-doctor';
  const pool = createPostgresPool({ url, poolSize: 1, namedStatements, deadlineMs, applicationName });
  try {
    return await pool.run(async (sql) => {
      const [found] = await sql.unsafe<{ exists: boolean; usable: boolean }[]>(`
        SELECT to_regclass('${TABLE}') IS NOT NULL AS exists, CASE
          WHEN to_regclass('${TABLE}') IS NULL THEN has_schema_privilege(current_schema(), 'CREATE')
          ELSE (SELECT bool_and(has_table_privilege(to_regclass('${TABLE}'), kind))
            FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS kind)
        END AS usable`);
      const facts = { table: TABLE, exists: found?.exists ?? false, isUsable: found?.usable ?? false };
      if (!facts.exists || !facts.isUsable) return { ...facts, windows: null };
      const [counted] = await sql.unsafe<{ windows: number }[]>(
        `SELECT count(*)::integer AS windows FROM ${TABLE}`,
      );
      return { ...facts, windows: counted?.windows ?? null };
    });
  } finally {
    await pool.close();
  }
}
