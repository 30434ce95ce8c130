// Two servers on one Postgres.
import { expectCommonHeaders, expectRefusal, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { statusOfLink } from '@countersign/test-support/api/link';
import { givenCustomerOf, type Instances, startInstances } from '@countersign/test-support/installation/instances';
import { tallyIn } from '@countersign/test-support/installation/postgres-database';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres'], 'two instances of one service', () => {
  let postgres: PostgresServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    instances = await startInstances(2, { DATABASE_URL: url });
  });
  afterAll(() => postgres.stop());

  it('one creates a verification; the other reads, lists and details it', async () => {
    const { at } = await givenCustomerOf(instances);
    const metadata = { tenant: 'acme “ä😀”', n: 1.5, nested: { list: [1, null, true] } };

    const created = await at(0).post({ ...newSubject('user_1'), metadata });

    expect(created.status).toBe(201);
    expectCommonHeaders(created.headers);
    expect(Object.keys(created.body.data ?? {}).sort()).toEqual(
      ['currentStep', 'id', 'requestedAt', 'status', 'subjectReference', 'type', 'verificationUrl'].sort(),
    );
    const id = idOf(created);
    const read = await at(1).get(`/verifications/${id}`);
    expect(read.status).toBe(200);
    expect(read.body.data).toMatchObject({ id, subjectReference: 'user_1', type: 'kyc', status: 'pending' });
    expect(read.body).toEqual((await at(0).get(`/verifications/${id}`)).body);
    const details = await at(1).get(`/verifications/${id}/details`);
    expect(details.status).toBe(200);
    expect(details.body.data).toMatchObject({ id, metadata });
    expect(details.body).toEqual((await at(0).get(`/verifications/${id}/details`)).body);

    const listed = await at(1).get('/verifications?limit=10');
    expect(listed.body.data).toMatchObject({
      verifications: [{ id, subjectReference: 'user_1' }],
      pagination: { totalCount: 1 },
    });
  });

  it('a link opens on both instances', async () => {
    const { at } = await givenCustomerOf(instances);
    const link = String((await at(0).post(newSubject('user_1'))).body.data?.verificationUrl);
    expect(link).toMatch(/^https:\/\/verify\.example\/verify\//);
    const path = new URL(link).pathname;

    for (const { origin } of instances) expect(await statusOfLink(origin + path)).toBe(303);
    expect(await statusOfLink(`${instances[0].origin}${path.slice(0, -2)}`)).toBe(404);
  });

  it('an Idempotency-Key and an active subject are known to both instances', async () => {
    const { at, clientId } = await givenCustomerOf(instances);
    const once = { 'Idempotency-Key': 'order-1' };

    const first = await at(0).post(newSubject('user_1'), once);
    const again = await at(1).post(newSubject('user_1'), once);

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectRefusal(await at(1).post(newSubject('user_2'), once), 422, 'IDEMPOTENCY_KEY_REUSED');
    const duplicate = await at(1).post(newSubject('user_1'));
    expectRefusal(duplicate, 409, 'DUPLICATE_SUBJECT_REFERENCE');
    expect(duplicate.body.data).toEqual({ verificationId: idOf(first), status: 'pending' });
    expect(await tallyIn(url, clientId)).toEqual({ rows: 1, used: 1, counted: 1, created: 1, events: 1 });
  });

  it('a changed limit or subscription applies on both instances from the next request on', async () => {
    const { at, clientId } = await givenCustomerOf(instances, { monthlyLimit: 1 });
    const change = (...options: string[]) =>
      countersignHere(['subscription', 'set', '--client', clientId, ...options], { DATABASE_URL: url });

    expect((await at(0).post(newSubject('user_1'))).status).toBe(201);
    expectRefusal(await at(1).post(newSubject('user_2')), 403, 'LIMIT_EXCEEDED');
    await change('--monthly-limit', '2');
    expect((await at(1).post(newSubject('user_2'))).status).toBe(201);
    await change('--status', 'canceled');
    for (const n of instances.keys()) {
      expectRefusal(await at(n).post(newSubject('user_3')), 403, 'NO_ACTIVE_SUBSCRIPTION');
    }
    expect(await tallyIn(url, clientId)).toEqual({ rows: 2, used: 2, counted: 2, created: 2, events: 2 });
  });
});
