import type { Sql } from 'postgres';

export const TABLE = 'rate_limit_windows';

/** Maximum number of rows that one statement deletes, so that requests do not wait noticeably. */
const DELETED_AT_ONCE = 10_000;

/**
 * Creates the table if it is missing. Several instances may do so at once. The table is unlogged because its counts
 * live for a minute. Each page keeps free space, so that updates stay on it and do not touch the index.
 */
export async function createTable(sql: Sql): Promise<void> {
  // Checked first, because CREATE … IF NOT EXISTS needs the right to create even if the table exists.
  const [found] = await sql.unsafe<{ exists: boolean }[]>(`SELECT to_regclass('${TABLE}') IS NOT NULL AS exists`);
  if (found?.exists) return;
  try {
    await sql.unsafe(`CREATE UNLOGGED TABLE IF NOT EXISTS ${TABLE} (
      bucket text PRIMARY KEY,
      count integer NOT NULL,
      ends_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`);
  } catch (error) {
    // IF NOT EXISTS does not see a table that another connection is creating at the same time.
    if (!['23505', '42710', '42P07'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/** Deletes windows that have ended. Skips rows in use, so it never waits. */
export async function deleteEnded(sql: Sql): Promise<void> {
  await sql.unsafe(`DELETE FROM ${TABLE} WHERE bucket IN (
    SELECT bucket FROM ${TABLE} WHERE ends_at < clock_timestamp() LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED
  )`);
}
