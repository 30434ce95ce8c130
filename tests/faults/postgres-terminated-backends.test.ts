// Terminates backends of a Postgres under load.
import { expectRefusal, kindsOf } from '@countersign/test-support/api/api-client';
import { createSteadily } from '@countersign/test-support/api/steady-load';
import { givenCustomerOf, type Instances, startInstances } from '@countersign/test-support/installation/instances';
import { tallyIn, verificationsIn, withDatabase } from '@countersign/test-support/installation/postgres-database';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const TERMINATIONS = 200;

describeWith(['postgres'], 'Postgres backends are terminated under load', () => {
  let postgres: PostgresServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    instances = await startInstances(2, { DATABASE_URL: url });
  });
  afterAll(() => postgres.stop());

  it(`${TERMINATIONS} terminations: no server exits, and acknowledged verifications are stored and counted once`, async () => {
    const { at, clientId } = await givenCustomerOf(instances, { monthlyLimit: 1_000_000 });
    const load = createSteadily(at, { atOnce: 48, name: 'subject' });
    await load.until(() => load.acknowledged.size > 100);

    let terminated = 0;
    await withDatabase(url, async (sql) => {
      while (terminated < TERMINATIONS) {
        // Terminates some active backends, then waits until creations succeed again.
        const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
          select count(*)::integer as count from (
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name like 'countersign%' and random() < 0.7
          ) as terminated`;
        terminated += count;
        const before = load.acknowledged.size;
        await load.until(() => load.acknowledged.size > before + 40);
      }
    });
    await load.stop();

    const refused = load.sent.filter(({ answer }) => answer.status !== 201);
    for (const { answer } of refused) {
      expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    const rows = load.acknowledged.size;
    expect(await verificationsIn(url, clientId)).toEqual(load.acknowledged);
    expect(await tallyIn(url, clientId)).toEqual({ rows, used: rows, counted: rows, created: rows, events: rows });
    // The terminations interrupted creations.
    expect(refused.length).toBeGreaterThan(TERMINATIONS / 10);
    // All servers still run and answer.
    for (const n of instances.keys()) {
      expect(kindsOf([await at(n).get()])).toEqual({ '200': 1 });
      expect(instances[n]?.output()).not.toMatch(/"level":"fatal"|INTERNAL_ERROR/);
    }
    console.info(
      `${terminated} backends terminated: ${rows} acknowledged, ${refused.length} refused, ${load.replayed} of them replayed`,
    );
  });
});
