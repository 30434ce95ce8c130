// Loads many rows: the planner chooses other plans for few.
import { describeWith } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { MANY_ROWS } from '../test-support/many-rows.ts';
import {
  askedBy,
  expectBeginnings,
  expectIndexes,
  expectOrdered,
  FILL_TIMEOUT_MS,
  givenManyRows,
  planOf,
} from '../test-support/plans.ts';
import {
  browse,
  GROUPED_PAGES,
  LATER,
  list,
  ORDERED_PAGES,
  reviewLoad,
  STORAGE_QUERIES,
} from '../test-support/queries/storage.ts';

describeWith(['postgres'], 'among many rows', () => {
  let database: Awaited<ReturnType<typeof givenManyRows>>;
  let raw: postgres.Sql;

  beforeAll(async () => {
    database = await givenManyRows(`${MANY_ROWS}; analyze`);
    ({ raw } = database);
  }, FILL_TIMEOUT_MS);
  afterAll(() => database.stop());

  it.each(STORAGE_QUERIES)('%s is found by its index', async (_, use, indexes) => {
    const plan = await planOf(raw, use);

    expectIndexes(plan, indexes);
    expect(plan).not.toContain('Seq Scan');
  });

  it('the load of reviewers is a range of an index for each client', async () => {
    const plan = await planOf(raw, reviewLoad);

    expect(plan.match(/(?:using|on) verifications_reviewed/g)).toHaveLength(2);
    expect(plan).toContain('using verification_events_history');
    // Of the tables, it reads that of the clients alone.
    expect(plan.match(/Seq Scan on \w+/g)).toEqual(['Seq Scan on clients', 'Seq Scan on clients']);
  });

  it.each(ORDERED_PAGES)('a page in %s sorts nothing but itself', async (_, use) => {
    expectOrdered(await planOf(raw, use));
  });

  it.each(GROUPED_PAGES)('a page in %s reads the beginning of each group only', async (_, use) => {
    expectBeginnings(await planOf(raw, use));
  });

  it.each([
    ['', {}],
    [' with a filter', { status: 'pending', type: 'kyc' }],
  ] as const)('a page by subject%s is read in the order of its index, without rows', async (_, filter) => {
    const plan = await planOf(raw, list({ sortBy: 'subjectReference', ...filter }));

    expect(plan).toMatch(/Limit[^\n]*\n\s+->\s+Index Only Scan Backward using verifications_subjects/);
  });

  it('a prefix uses its index also in a generic plan', async () => {
    const [asked] = await askedBy(raw, browse({ subjectReferencePrefix: 'subject-77' }));
    await raw.unsafe(`set plan_cache_mode = force_generic_plan; prepare browsing as ${asked?.statement.text}`);
    onTestFinished(async () => void (await raw.unsafe('deallocate browsing; reset plan_cache_mode')));

    const values = asked?.parameters.map((value) => `'${String(value)}'`).join();
    const plan = (await raw.unsafe(`explain execute browsing (${values})`))
      .map((row) => row['QUERY PLAN'])
      .join('\n');

    expect(plan).toMatch(/Index Cond: .*subject_reference >= \$\d.*subject_reference < \$\d/);
    expect(plan).not.toContain('Seq Scan');
  });

  it('the total is counted only if the caller reads it', async () => {
    expect(await planOf(raw, browse({ after: LATER }))).toContain('Aggregate');
    expect(await planOf(raw, browse({ after: LATER, withoutTotal: true }))).not.toContain('Aggregate');
  });
});
