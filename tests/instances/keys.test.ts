// Four processes issue and revoke keys on one Postgres.
import { join } from 'node:path';
import { apiKeyState } from '@countersign/domain';
import { type Answer, atOnce, expectRefusal, kindsOf } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { givenCustomerOf, type Instances, startInstances } from '@countersign/test-support/installation/instances';
import { givenKey, operate } from '@countersign/test-support/installation/operator';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { start } from '@countersign/test-support/processes/child-process';
import { countersign, runCountersignHere } from '@countersign/test-support/processes/command-line';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres'], 'keys of four instances on one Postgres', () => {
  let postgres: PostgresServer;
  let url: string;
  let instances: Instances;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    url = await postgres.createDatabase();
    instances = await startInstances(4, { DATABASE_URL: url });
  });
  afterAll(() => postgres.stop());

  const statesOf = (clientId: string) =>
    operate(instances[0], async ({ apiKeys }) => {
      const keys = await apiKeys.list(clientId);
      return keys.map((key) => apiKeyState(key, new Date()));
    });

  it('four processes request 40 keys concurrently: exactly 10 are issued', async () => {
    const { client } = await operate(instances[0], ({ clients }) =>
      clients.create({ name: 'Acme', plan: 'none' }),
    );
    const script = join(import.meta.dirname, '../e2e/issue-keys.mjs');
    const processes = Array.from({ length: 4 }, () =>
      start(process.execPath, ['--conditions=source', script, url, client.id, '10']),
    );
    await Promise.all(processes.map((issuing) => issuing.says(/ready/)));

    for (const issuing of processes) issuing.signal('SIGUSR2');
    const ends = await Promise.all(processes.map(({ finished }) => finished));

    const outcomes = ends.flatMap(({ stdout }) => JSON.parse(stdout.split('\n')[1] ?? '') as string[]);
    expect(outcomes).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === 'issued')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'API_KEY_LIMIT_REACHED')).toHaveLength(30);
    expect(await statesOf(client.id)).toEqual(Array(10).fill('active'));
    const slots = await withDatabase(
      url,
      (sql) => sql`select slot from api_keys where client_id = ${client.id} order by slot`,
    );
    expect(slots.map(({ slot }) => Number(slot))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('the command line refuses the eleventh key', async () => {
    const { clientId } = await givenCustomerOf(instances);
    for (let n = 2; n <= 8; n++) await givenKey(instances[0], clientId);
    const create = ['key', 'create', '--client', clientId, '--permissions', '*', '--json'];

    const ends = await atOnce(4, () => runCountersignHere(create, { DATABASE_URL: url }));

    expect(ends.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1]);
    for (const { stderr } of ends.filter(({ code }) => code !== 0)) {
      expect(stderr).toMatch(/^countersign: .*API_KEY_LIMIT_REACHED.*\n$/);
    }
    expect(await statesOf(clientId)).toEqual(Array(10).fill('active'));
  });

  it('four commands that create the first key of one Postgres concurrently: one creates it', async () => {
    const { client } = await operate(instances[0], ({ clients }) =>
      clients.create({ name: 'Acme', plan: 'none' }),
    );
    const create = ['key', 'create-first', '--client', client.id, '--permissions', '*', '--json'];

    const ends = await atOnce(4, () => runCountersignHere(create, { DATABASE_URL: url }));

    expect(ends.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
    for (const { stderr } of ends.filter(({ code }) => code !== 0)) {
      expect(stderr).toMatch(/^countersign: .*API_KEY_EXISTS.*\n$/);
    }
    expect(await statesOf(client.id)).toEqual(['active']);
  });

  it('a revoked key gets 401 from each instance as soon as the command has ended', async () => {
    const { at, clientId, keyId } = await givenCustomerOf(instances);
    const other = await givenKey(instances[0], clientId);
    const ASKING = 8;
    const LATE = extent({ full: 2_000, short: 400 });
    const answers: { begun: number; by: number; answer: Answer }[] = [];
    let revokedAt = Number.POSITIVE_INFINITY;

    /** Sends requests to the instances in turn, until enough were sent after the revocation. */
    const ask = async (first: number) => {
      for (let n = first, late = 0; late < LATE / ASKING; n++) {
        const begun = performance.now();
        answers.push({ begun, by: n % instances.length, answer: await at(n).get('/verifications?limit=1') });
        if (begun > revokedAt) late++;
      }
    };
    const revoke = async () => {
      await countersign(['key', 'revoke', keyId], { DATABASE_URL: url });
      revokedAt = performance.now();
    };
    await Promise.all([revoke(), ...Array.from({ length: ASKING }, (_, n) => ask(n))]);

    const before = answers.filter(({ begun }) => begun <= revokedAt);
    const after = answers.filter(({ begun }) => begun > revokedAt);
    expect(kindsOf(after.map(({ answer }) => answer))).toEqual({ '401 API_KEY_REVOKED': LATE });
    // Each instance accepted the key before, so that a cached key would be noticed.
    for (const n of instances.keys()) {
      expect(before.filter(({ by, answer }) => by === n && answer.status === 200).length).toBeGreaterThan(5);
      expect(after.filter(({ by }) => by === n).length).toBeGreaterThan(LATE / 8);
    }
    expectRefusal(await at(0).get(), 401, 'API_KEY_REVOKED');
    expect((await at(1).request('/verifications', { headers: { 'X-API-Key': other } })).status).toBe(200);
    console.info(
      `revoked key: ${before.length} requests begun before, ${after.length} after, none of these accepted`,
    );
  });
});
