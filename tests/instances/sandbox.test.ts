// Three servers on one Postgres.
import { atOnce, idOf, newSubject } from '@countersign/test-support/api/api-client';
import {
  givenCustomerOf,
  givenTestCustomerOf,
  type Instances,
  startInstances,
} from '@countersign/test-support/installation/instances';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const OUTCOMES = ['approved', 'rejected', 'action_needed'] as const;

describeWith(['postgres'], 'three instances that drive sandboxes on one Postgres', () => {
  let postgres: PostgresServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    const EVIDENCE_URL = `file://${temporaryFolder()}`;
    instances = await startInstances(3, { DATABASE_URL: url, EVIDENCE_URL });
  });
  afterAll(() => postgres.stop());

  it('drive each verification of a test twin once, and none in live mode', async () => {
    const ordinary = await givenCustomerOf(instances);
    const trying = await givenTestCustomerOf(instances, ordinary.clientId);
    const subject = (n: number) => ({
      ...newSubject(`user_${n}`),
      metadata: { sandboxOutcome: OUTCOMES[n % OUTCOMES.length] },
    });

    const others = await atOnce(3, async (n) => idOf(await ordinary.at(n).post(subject(n))));
    const ids = await atOnce(30, async (n) => idOf(await trying.at(n).post(subject(n))));
    const left = () =>
      withDatabase(url, async (sql) => {
        const [row] = await sql`
          select count(*)::integer from verifications where client_id = ${trying.clientId} and sandbox_outcome is not null`;
        return row?.count;
      });
    await until(async () => (await left()) === 0);

    const histories = await withDatabase(
      url,
      (sql) => sql`
        select verification_id as id, string_agg(status, ' ' order by version) as statuses,
          string_agg(distinct actor_kind, ' ' order by actor_kind) as actors
        from verification_events group by 1`,
    );
    const historyOf = (id: string) => histories.find((history) => history.id === id);
    for (const [n, id] of ids.entries()) {
      const statuses = expect.stringMatching(
        new RegExp(`^(pending )+submitted ${OUTCOMES[n % OUTCOMES.length]}$`),
      );
      expect(historyOf(id)).toEqual({ id, statuses, actors: 'api_key system' });
    }
    for (const id of others) expect(historyOf(id)).toEqual({ id, statuses: 'pending', actors: 'api_key' });
  });
});
