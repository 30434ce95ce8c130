import { QUEUE } from '@countersign/test-support/records/queries';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/raw.ts';
import { aCreateRequest, CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage } from '../postgres-storage.ts';

const QUERY = { ...QUEUE, status: 'submitted', countUpTo: 1 } as const;
const OF_ONE_TYPE = { ...QUERY, type: 'kyc' } as const;
const OF_ONE_CLIENT = { ...QUERY, type: undefined, clientId: CLIENT.id } as const;

describeWith(['postgres'], 'queue', () => {
  const server = givenPostgres();

  it('the total of one type comes from the counts, and from the verifications if there are 10,000 counts', async () => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    for (const n of [1, 2, 3]) await storage.verifications.createCharged(aCreateRequest(n));
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe("update verifications set status = 'submitted', submitted_at = now()");
    await raw.unsafe('update verification_counts set submitted = 7');

    const fromCounts = await storage.verifications.queue(OF_ONE_TYPE);
    await raw.unsafe(`
      insert into verification_counts (client_id, day, type)
      select id, day, 'kyb' from clients, generate_series(1, 9999) as days (day)`);
    const counted = await storage.verifications.queue(OF_ONE_TYPE);
    const ofClient = await storage.verifications.queue(OF_ONE_CLIENT);

    expect(fromCounts.totalCount).toBe(7);
    expect(counted.totalCount).toBe(2);
    expect(ofClient.totalCount).toBe(7);
    for (const { records } of [fromCounts, counted, ofClient]) expect(records).toHaveLength(3);
  });
});
