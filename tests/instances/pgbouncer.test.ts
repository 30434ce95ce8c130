// Two servers behind a pooler.
import { atOnce, idOf, kindsOf, newSubject } from '@countersign/test-support/api/api-client';
import { limitsOf } from '@countersign/test-support/api/rate-limit-headers';
import {
  givenCustomerOf,
  type Instances,
  startInstances,
  whileCountedTogether,
} from '@countersign/test-support/installation/instances';
import { tallyIn } from '@countersign/test-support/installation/postgres-database';
import { runCountersignHere } from '@countersign/test-support/processes/command-line';
import {
  describeWith,
  type PgBouncerServer,
  type PostgresServer,
  startPgBouncer,
  startPostgres,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres', 'pgbouncer'], 'two instances behind PgBouncer in transaction mode', () => {
  let postgres: PostgresServer;
  let bouncer: PgBouncerServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    bouncer = await startPgBouncer(url);
    instances = await startInstances(2, {
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: url,
      DATABASE_NAMED_STATEMENTS: 'off',
      STANDARD_REQUESTS_PER_MINUTE: '100',
    });
  });
  afterAll(async () => {
    await bouncer.stop();
    await postgres.stop();
  });

  it('migrate with the direct URL and query through PgBouncer', async () => {
    const { code, stdout } = await runCountersignHere(['doctor', '--json'], instances[0].env);
    expect(code).toBe(0);
    const hosts = {
      host: new URL(bouncer.url).host,
      direct: { host: new URL(url).host, user: new URL(url).username, isReachable: true },
    };
    expect(JSON.parse(stdout)).toMatchObject({ database: hosts });
    expect(stdout).not.toContain(new URL(url).password);
  });

  it('create, read, list and detail verifications', async () => {
    const { at } = await givenCustomerOf(instances, { plan: 'enterprise' });
    const id = idOf(await at(0).post({ ...newSubject('user_1'), metadata: { a: [1, 'ä'] } }));

    expect((await at(1).get(`/verifications/${id}`)).body.data).toMatchObject({ id, status: 'pending' });
    expect((await at(1).get(`/verifications/${id}/details`)).body.data).toMatchObject({
      metadata: { a: [1, 'ä'] },
    });
    expect((await at(1).get()).body.data).toMatchObject({ pagination: { totalCount: 1 } });
    expect((await at(1).post(newSubject('user_1'))).body.code).toBe('DUPLICATE_SUBJECT_REFERENCE');
  });

  it('150 concurrent creations with a limit of 100: create exactly 100', async () => {
    const { at, clientId } = await givenCustomerOf(instances, { plan: 'enterprise', monthlyLimit: 100 });

    const answers = await atOnce(150, (n) => at(n).post(newSubject(`user_${n}`)));

    expect(kindsOf(answers)).toEqual({ '201': 100, '403 LIMIT_EXCEEDED': 50 });
    expect(await tallyIn(url, clientId)).toEqual({
      rows: 100,
      used: 100,
      counted: 100,
      created: 100,
      events: 100,
    });
  });

  it('150 concurrent requests on the standard plan: exactly 100 succeed in a minute', async () => {
    await whileCountedTogether(instances, async () => {
      const { at } = await givenCustomerOf(instances);

      const answers = await atOnce(150, (n) => at(n).get());

      expect(kindsOf(answers)).toEqual({ '200': 100, '429 RATE_LIMIT_EXCEEDED': 50 });
      expect(new Set(answers.map((answer) => limitsOf(answer).reset)).size).toBe(1);
    });
  });
});
