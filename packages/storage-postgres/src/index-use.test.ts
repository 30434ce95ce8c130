import { describeWith } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../test-support/many-rows.ts';
import {
  expectBeginnings,
  expectIndexes,
  expectOrdered,
  FILL_TIMEOUT_MS,
  givenManyRows,
  type PlannedQuery,
  planOf,
} from '../test-support/plans.ts';
import { RETENTION_QUERIES } from '../test-support/queries/retention.ts';
import { GROUPED_PAGES, ORDERED_PAGES, STORAGE_QUERIES } from '../test-support/queries/storage.ts';
import { WEBHOOK_QUERIES } from '../test-support/queries/webhooks.ts';

/** Lets the planner expect a million rows in each table that has any, and a thousand in each partial index. */
const ESTIMATES = `
  update pg_class set relpages = 1, reltuples = 1e6 where relnamespace = 'public'::regnamespace and relkind = 'r';
  update pg_class set relpages = 2, reltuples = case when indpred is null then 1e6 else 1e3 end
  from pg_index where indexrelid = oid and relnamespace = 'public'::regnamespace`;

describeWith(['postgres'], 'indexes, as the planner can use them', () => {
  let database: Awaited<ReturnType<typeof givenManyRows>>;
  let raw: postgres.Sql;

  beforeAll(async () => {
    database = await givenManyRows(`${rowsOf({ clients: 2, verifications: 20 })}; ${ESTIMATES}`);
    ({ raw } = database);
  }, FILL_TIMEOUT_MS);
  afterAll(() => database.stop());

  /** Returns the plans of a query without the other indexes of the tables: which of several is used depends on the rows. */
  async function planWith(indexes: readonly string[], use: PlannedQuery[1]): Promise<string> {
    await hideOtherIndexes(raw, indexes);
    return planOf(raw, use);
  }

  it.each([...STORAGE_QUERIES, ...RETENTION_QUERIES, ...WEBHOOK_QUERIES])(
    'an index serves %s',
    async (_, use, indexes) => {
      const plan = await planWith(indexes, use);

      expectIndexes(plan, indexes);
      // Other tables are empty here, or have few rows in practice.
      expect(plan).not.toMatch(/Seq Scan on (verification|webhook_[da]|erasures|clients|api_keys|audit|index)/);
    },
  );

  it.each(ORDERED_PAGES)('an index has %s', async (_, use, indexes) => {
    expectOrdered(await planWith(indexes, use));
  });

  it.each(GROUPED_PAGES)('an index of groups has %s', async (_, use, indexes) => {
    expectBeginnings(await planWith(indexes, use));
  });
});

/** Hides all other indexes of the same tables from the planner. */
async function hideOtherIndexes(raw: postgres.Sql, indexes: readonly string[]): Promise<void> {
  await raw`
    with named as (
      select indexrelid, indrelid, relname ~ ${`^(${indexes.join('|')})`} as is_named
      from pg_index join pg_class on oid = indexrelid where relnamespace = 'public'::regnamespace),
    usable as (
      select indexrelid, is_named or not bool_or(is_named) over (partition by indrelid) as is_usable from named)
    update pg_index set indisvalid = is_usable
    from usable where usable.indexrelid = pg_index.indexrelid and indisvalid <> is_usable`;
}
