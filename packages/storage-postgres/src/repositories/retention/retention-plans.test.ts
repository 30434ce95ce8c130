// Loads many rows: the planner chooses other plans for few.
import { describeWith } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MANY_ROWS } from '../../../test-support/many-rows.ts';
import { expectIndexes, FILL_TIMEOUT_MS, givenManyRows, planOf } from '../../../test-support/plans.ts';
import { RETENTION_QUERIES } from '../../../test-support/queries/retention.ts';
import { createRetentionRepository } from './retention-repository.ts';

describeWith(['postgres'], 'retention among many rows', () => {
  let database: Awaited<ReturnType<typeof givenManyRows>>;
  let raw: postgres.Sql;

  beforeAll(async () => {
    database = await givenManyRows(`${MANY_ROWS}; analyze`);
    ({ raw } = database);
  }, FILL_TIMEOUT_MS);
  afterAll(() => database.stop());

  it.each(RETENTION_QUERIES)('%s is found by its index', async (_, use, indexes) => {
    const plan = await planOf(raw, use);

    expectIndexes(plan, indexes);
    expect(plan).not.toMatch(/Seq Scan on (verifications|verification_events|webhook_attempts|erasures|clients) /);
  });

  it('what is due is read in the order of its index, without sorting more than a page', async () => {
    const plan = await planOf(raw, (session) =>
      createRetentionRepository(session).due({ now: new Date(), limit: 20 }),
    );

    expect(plan.match(/Limit[^\n]*\n\s+->\s+Index Scan using verifications_retention/g)).toHaveLength(2);
  });
});
