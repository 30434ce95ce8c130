// Two rotations on one Postgres at the same time, by the command line.
import { createKeyRing, createSealing } from '@countersign/sealing';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newOperator } from '../../test-support/operator.ts';
import { givenSealedVerifications, LAST_NAME, lastNamesIn } from '../../test-support/sealed-verifications.ts';
import type { DoctorReport } from './doctor.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const newestKey = createKeyRing([NEW]).newest;

describeWith(['postgres'], 'keys rotate on Postgres', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  test('two concurrent rotations re-wrap each data key once, and doctor reports the result', async () => {
    const url = await postgres.createDatabase();
    const secrets = [NEW, OLD].map((secret) => secret.toString('hex')).join(',');
    const operator = newOperator({ DATABASE_URL: url, SECRET_KEYS: secrets });
    const { id: clientId } = await operator.newClient();
    const serving = await createPostgresStorage({ url });
    onTestFinished(() => serving.close());
    await givenSealedVerifications(serving, { clientId, count: 120, secretKeys: [OLD] });
    await createSealing({ keys: createKeyRing([OLD]) })
      .sealWebhooks(serving.webhooks)
      .add(webhookEndpoint({ clientId }));
    const sealing = async () => (await operator.json<DoctorReport>('doctor')).sealing;
    expect(await sealing()).toEqual({
      newestKey,
      keys: 2,
      olderDataKeys: 120,
      olderWebhookSecrets: 1,
      olderIndexKeys: 0,
      olderSecondFactors: 0,
    });

    const rotations = await Promise.all([1, 2].map(() => operator.run('keys rotate --json')));

    expect(rotations.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const results = rotations.map(({ out, err }) => ({
      err,
      ...(JSON.parse(out) as { rewrapped: number; webhookSecrets: number }),
    }));
    // One that begins after the other has finished finds nothing to re-wrap.
    for (const { err, rewrapped } of results) {
      if (rewrapped > 0) expect(err).toContain('servers of this database cannot be seen from here');
    }
    expect(results.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(120);
    expect(results.reduce((sum, { webhookSecrets }) => sum + webhookSecrets, 0)).toBe(1);
    const opened = createSealing({ keys: createKeyRing([NEW]) }).sealWebhooks(serving.webhooks);
    expect((await opened.list(clientId)).map(({ secret }) => secret.value)).toEqual(['whsec_secret']);
    expect(await lastNamesIn(serving, { clientId, secretKeys: [NEW] })).toEqual(Array(120).fill(LAST_NAME));
    expect(await sealing()).toEqual({
      newestKey,
      keys: 2,
      olderDataKeys: 0,
      olderWebhookSecrets: 0,
      olderIndexKeys: 0,
      olderSecondFactors: 0,
    });
  });
});
