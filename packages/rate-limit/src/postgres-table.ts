import type { Sql } from 'postgres';

export const TABLE = 'rate_limit_windows';

/** Rows deleted in one statement at most: it is not to be felt. */
const DELETED_AT_ONCE = 10_000;

/**
 * Makes the table unless it is there; any number of instances may do so at once. Unlogged: its counts live for a
 * minute, and are not worth a write to the log. Room is left in each page, so that an update stays in it and leaves
 * the index alone.
 */
export async function createTable(sql: Sql): Promise<void> {
  // Asked first, because CREATE … IF NOT EXISTS needs the right to create even where there is nothing to do.
  const [found] = await sql.unsafe<{ exists: boolean }[]>(`SELECT to_regclass('${TABLE}') IS NOT NULL AS exists`);
  if (found?.exists) return;
  try {
    await sql.unsafe(`CREATE UNLOGGED TABLE IF NOT EXISTS ${TABLE} (
      bucket text PRIMARY KEY,
      count integer NOT NULL,
      ends_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`);
  } catch (error) {
    // IF NOT EXISTS does not see a table that another connection is just creating: it was faster.
    if (!['23505', '42710', '42P07'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}

/** Deletes windows that have ended. Skips rows in use, so it never waits. */
export async function deleteEnded(sql: Sql): Promise<void> {
  await sql.unsafe(`DELETE FROM ${TABLE} WHERE bucket IN (
    SELECT bucket FROM ${TABLE} WHERE ends_at < clock_timestamp() LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED
  )`);
}
