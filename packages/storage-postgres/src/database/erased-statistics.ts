import type { Target } from '../connection/connect-once.ts';
import { codeOf } from '../connection/faults.ts';
import { getTableName } from '../drizzle.ts';
import { indexEntries, verificationEvents, verifications, webhookAttempts } from '../schema.ts';
import { type Direct, withDirect } from './direct.ts';

/** Tables with columns that an erasure empties, or labels that it deletes. */
const EMPTIED = [verifications, verificationEvents, webhookAttempts, indexEntries].map((table) =>
  getTableName(table),
);
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

/** The table and its partitions in which ANALYZE found no row: it keeps what it knew of rows that were deleted since. */
const emptied = (table: string): string => `
  select quote_ident(relname) from pg_class
  where (oid = to_regclass('${table}') or oid in (select relid from pg_partition_tree(to_regclass('${table}'))))
    and reltuples = 0
    and exists (select 1 from pg_stats where schemaname = current_schema() and tablename = relname)
  order by relname`;

/** From Postgres 18 on, who may analyze may also clear. */
const MAY_CLEAR = `
  select has_function_privilege(to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)'), 'EXECUTE')`;

const clearing = (relation: string): string => `
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited) from pg_stats
  where schemaname = current_schema() and quote_ident(tablename) = '${relation}'`;

/**
 * Giving a column its own type drops its statistics and rewrites nothing. Without its own collation too, it would get the default one.
 * Only owners may. Personal data is in columns of text.
 */
const retyping = (relation: string): string => `
  select 'alter table ${relation} ' || string_agg(format('alter column %I type text collate %s', attname, attcollation::regcollation), ', ')
  from pg_attribute where attrelid = to_regclass('${relation}') and atttypid = 'text'::regtype and not attisdropped`;

/** No right, a table in use, or columns that a partition or a trigger holds on to. */
const NOT_CLEARED = ['42501', '55P03', '42P16', '0A000'];

/**
 * Tables and partitions that the user may not analyze: rights on a table are none on its partitions. That is the right of their owner, of the database's owner, and from Postgres 17 on of those with
 * MAINTAIN, such as members of `pg_maintain`.
 */
const NOT_ANALYZABLE = `
  select relname from pg_class
  where oid in (
      select coalesce(part.relid, to_regclass(name)) from unnest(array[${NAMES}]) as emptied (name)
      left join lateral pg_partition_tree(to_regclass(name)) as part on true
    )
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
  /** Postgres did not replace them: the user lacks the right (`PostgresFacts.notAnalyzable`), or a table without rows could not be cleared. */
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
    const left = await namesFrom(direct, leftOut(tables, String(since)));
    const uncleared = await clearEmptied(
      direct,
      tables.filter((table) => !left.includes(table)),
    );
    const kept = tables.filter((table) => left.includes(table) || uncleared.includes(table));
    return { replaced: tables.filter((table) => !kept.includes(table)), kept };
  });
}

/** Clears statistics of tables without rows, which ANALYZE leaves as they are. Returns those that could not be cleared. */
async function clearEmptied(direct: Direct, tables: readonly string[]): Promise<readonly string[]> {
  const uncleared: string[] = [];
  // Other statements wait behind one that waits for the table.
  await direct.run("set lock_timeout = '1s'");
  const [[mayClear] = []] = await direct.run(MAY_CLEAR);
  for (const table of tables) {
    try {
      for (const relation of await namesFrom(direct, emptied(table))) {
        const [statement] = mayClear === true ? [clearing(relation)] : await namesFrom(direct, retyping(relation));
        if (statement !== undefined) await direct.run(statement);
      }
    } catch (error) {
      if (!NOT_CLEARED.includes(codeOf(error))) throw error;
      uncleared.push(table);
    }
  }
  return uncleared;
}

/** Returns the tables with personal data whose statistics the user may not replace. */
export function notAnalyzable(direct: Direct): Promise<readonly string[]> {
  return namesFrom(direct, NOT_ANALYZABLE);
}

async function namesFrom({ run }: Direct, sql: string): Promise<readonly string[]> {
  return (await run(sql)).map(([name]) => String(name));
}
