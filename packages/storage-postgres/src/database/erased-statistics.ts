import type { Target } from '../connection/connect-once.ts';
import { getTableName } from '../drizzle.ts';
import { verificationEvents, verifications, webhookAttempts } from '../schema.ts';
import { type Direct, withDirect } from './direct.ts';

/** Tables with columns that an erasure empties. */
const EMPTIED = [verifications, verificationEvents, webhookAttempts].map((table) => getTableName(table));
const NAMES = EMPTIED.map((name) => `'${name}'`).join();

/** When the statistics of `pg_stat_user_tables as counted` were last renewed. */
const RENEWED_AT = "coalesce(greatest(last_analyze, last_autoanalyze), '-infinity')";

/**
 * The planner's statistics contain values of the rows that Postgres read for them. They are old if they are from before the last
 * erasure, or from so shortly after it that Postgres may have begun to read before, or that the clocks differ.
 */
const OLD = `
  select relname from pg_stat_user_tables as counted
  where schemaname = current_schema() and relname in (${NAMES})
    and ${RENEWED_AT} < (select max(finished_at) + interval '10 minutes' from erasures)
    and exists (
      select 1 from pg_stats as kept where kept.schemaname = counted.schemaname and kept.tablename = counted.relname
    )
  order by relname`;

/** Tables that ANALYZE left out, partitions included. For a missing right, it only warns. */
const leftOut = (tables: readonly string[], since: string): string => `
  select analyzed.name from unnest(array['${tables.join("','")}']) as analyzed (name)
  where exists (
    select 1 from pg_stat_user_tables as counted
    where (relid = to_regclass(analyzed.name) or relid in (select relid from pg_partition_tree(to_regclass(analyzed.name))))
      and ${RENEWED_AT} < '${since}'
  )
  order by analyzed.name`;

/**
 * Tables that the user may not analyze. That is the right of their owner, of the database's owner, and from Postgres 17 on of those with
 * MAINTAIN, such as members of `pg_maintain`.
 */
const NOT_ANALYZABLE = `
  select relname from pg_class
  where oid in (select to_regclass(name) from unnest(array[${NAMES}]) as emptied (name))
    and not pg_has_role(relowner, 'USAGE')
    and not (select pg_has_role(datdba, 'USAGE') from pg_database where datname = current_database())
    and not case
      when current_setting('server_version_num')::integer >= 170000 then has_table_privilege(oid, 'MAINTAIN')
      else false
    end
  order by relname`;

/** Postgres reads 30,000 rows of each table, wherever they are. */
const DEADLINE_MS = 600_000;

/** What became of statistics that may contain erased values, by the names of their tables. */
export interface ReplacedStatistics {
  readonly replaced: readonly string[];
  /** Postgres did not replace them: the user lacks the right (`PostgresFacts.notAnalyzable`). */
  readonly kept: readonly string[];
}

/** Replaces statistics of the planner that may contain values which were erased since, and looks whether Postgres did. */
export function replaceErasedStatistics(options: {
  target: Target;
  applicationName: string;
}): Promise<ReplacedStatistics> {
  return withDirect(options, async (direct) => {
    const tables = await namesFrom(direct, OLD);
    if (tables.length === 0) return { replaced: [], kept: [] };
    const [[since] = []] = await direct.run('select clock_timestamp()');
    await direct.run(`analyze ${tables.join(', ')}`, DEADLINE_MS);
    const kept = await namesFrom(direct, leftOut(tables, String(since)));
    return { replaced: tables.filter((table) => !kept.includes(table)), kept };
  });
}

/** Returns the tables with personal data whose statistics the user may not replace. */
export function notAnalyzable(direct: Direct): Promise<readonly string[]> {
  return namesFrom(direct, NOT_ANALYZABLE);
}

async function namesFrom({ run }: Direct, sql: string): Promise<readonly string[]> {
  return (await run(sql)).map(([name]) => String(name));
}
