// Four servers on one Postgres create with one limit.
import {
  type Answer,
  atOnce,
  expectRefusal,
  idOf,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { givenCustomerOf, type Instances, startInstances } from '@countersign/test-support/installation/instances';
import { tallyIn, verificationsIn } from '@countersign/test-support/installation/postgres-database';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres'], 'four instances on one Postgres', () => {
  let postgres: PostgresServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    instances = await startInstances(4, { DATABASE_URL: url });
  });
  afterAll(() => postgres.stop());

  it('200 concurrent creations with a limit of 100: create exactly 100', async () => {
    const { at, clientId } = await givenCustomerOf(instances, { monthlyLimit: 100 });
    // Opens the instances' database connections first, so that all creations are concurrent.
    await atOnce(200, (n) => at(n).get());

    const answers = await atOnce(200, (n) => at(n).post(newSubject(`user_${n}`)));

    expect(kindsOf(answers)).toEqual({ '201': 100, '403 LIMIT_EXCEEDED': 100 });
    expect(await tallyIn(url, clientId)).toEqual({
      rows: 100,
      used: 100,
      counted: 100,
      created: 100,
      events: 100,
    });
    const acknowledged = answers.filter(({ status }) => status === 201).map(idOf);
    expect(new Set((await verificationsIn(url, clientId)).values())).toEqual(new Set(acknowledged));
    // More than one instance created some, and all instances enforce the limit.
    const admitting = answers.flatMap(({ status }, n) => (status === 201 ? [n % instances.length] : []));
    expect(new Set(admitting).size).toBeGreaterThan(1);
    for (const n of instances.keys()) {
      expectRefusal(await at(n).post(newSubject('one more')), 403, 'LIMIT_EXCEEDED');
      expect((await at(n).get()).body.data).toMatchObject({ pagination: { totalCount: 100 } });
    }
  });

  it('200 concurrent creations of the same subject: create and count one', async () => {
    const { at, clientId } = await givenCustomerOf(instances);

    const answers = await atOnce(200, (n) => at(n).post(newSubject('user_1')));

    expect(kindsOf(answers)).toEqual({ '201': 1, '409 DUPLICATE_SUBJECT_REFERENCE': 199 });
    const winner = idOf(answers.find(({ status }) => status === 201) as Answer);
    for (const { status, body } of answers) {
      if (status === 409) expect(body.data).toEqual({ verificationId: winner, status: 'pending' });
    }
    expect(await tallyIn(url, clientId)).toEqual({ rows: 1, used: 1, counted: 1, created: 1, events: 1 });
  });

  it('200 concurrent requests with the same Idempotency-Key: create one and return the same response', async () => {
    const { at, clientId } = await givenCustomerOf(instances);

    const answers = await atOnce(200, (n) => at(n).post(newSubject('user_1'), { 'Idempotency-Key': 'order-1' }));

    expect(kindsOf(answers)).toEqual({ '201': 200 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(199);
    expect(await tallyIn(url, clientId)).toEqual({ rows: 1, used: 1, counted: 1, created: 1, events: 1 });
  });
});
