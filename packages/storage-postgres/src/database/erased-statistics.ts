import type { Target } from '../connection/connect-once.ts';
import { getTableName } from '../drizzle.ts';
import { verificationEvents, verifications, webhookAttempts } from '../schema.ts';
import { withDirect } from './direct.ts';

/** Tables with columns that an erasure empties. */
const EMPTIED = [verifications, verificationEvents, webhookAttempts].map((table) => getTableName(table));

/**
 * The planner's statistics contain values of the rows that Postgres read for them. They are old if they are from before the last
 * erasure, or from so shortly after it that Postgres may have begun to read before, or that the clocks differ.
 */
const OLD = `
  select relname from pg_stat_user_tables as counted
  where schemaname = current_schema() and relname in (${EMPTIED.map((name) => `'${name}'`).join()})
    and coalesce(greatest(last_analyze, last_autoanalyze), '-infinity')
      < (select max(finished_at) + interval '10 minutes' from erasures)
    and exists (
      select 1 from pg_stats as kept where kept.schemaname = counted.schemaname and kept.tablename = counted.relname
    )
  order by relname`;

/** Postgres reads 30,000 rows of each table, wherever they are. */
const DEADLINE_MS = 600_000;

/**
 * Replaces statistics of the planner that may contain values which were erased since.
 * @returns the names of the tables whose statistics were replaced
 */
export function replaceErasedStatistics(options: {
  target: Target;
  applicationName: string;
}): Promise<readonly string[]> {
  return withDirect(options, async ({ run }) => {
    const tables = (await run(OLD)).map(([name]) => String(name));
    if (tables.length > 0) await run(`analyze ${tables.join(', ')}`, DEADLINE_MS);
    return tables;
  });
}
