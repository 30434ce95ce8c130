// Kills one of two servers that expire verifications.
import { atOnce, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenCustomerOf, startInstances } from '@countersign/test-support/installation/instances';
import { tallyIn, withDatabase } from '@countersign/test-support/installation/postgres-database';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ABANDONED = 120;
const OTHERS = 10;

describeWith(['postgres'], 'two instances that expire verifications on one Postgres', () => {
  let postgres: PostgresServer;
  let url: string;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
  });
  afterAll(() => postgres.stop());

  const expired = () =>
    withDatabase(url, async (sql) => {
      const [row] = await sql`
        select count(*)::integer from verification_events where type = 'verification.expired'`;
      return Number(row?.count);
    });

  it('expire each verification once, and no other, although one of them is killed meanwhile', async () => {
    const env = { DATABASE_URL: url };
    const before = await startInstances(1, env);
    const { clientId, at } = await givenCustomerOf(before);
    const create = async (name: string) => idOf(await at(0).post(newSubject(name)));
    const abandoned = await atOnce(ABANDONED, (n) => create(`abandoned ${n}`));
    const others = await atOnce(OTHERS, (n) => create(`other ${n}`));
    await before[0].stop();
    await withDatabase(
      url,
      (sql) => sql`
        update verifications
        set requested_at = requested_at - interval '70 days', link_expires_at = link_expires_at - interval '70 days'
        where subject_reference like 'abandoned%'`,
    );

    const instances = await startInstances(2, env);
    await until(async () => (await expired()) > 0);
    await instances[0].kill();
    await until(async () => (await expired()) === ABANDONED);

    const histories = await withDatabase(
      url,
      (sql) => sql`
        select verification_id as id, string_agg(status || ' by ' || actor_kind, ', ' order by version) as history
        from verification_events group by 1`,
    );
    const historyOf = (id: string) => histories.find((each) => each.id === id)?.history;
    for (const id of abandoned) expect(historyOf(id)).toBe('pending by api_key, rejected by system');
    for (const id of others) expect(historyOf(id)).toBe('pending by api_key');
    const rows = ABANDONED + OTHERS;
    const counted = { rows, used: rows, counted: rows, created: rows, events: rows + ABANDONED };
    expect(await tallyIn(url, clientId)).toEqual(counted);
  });
});
