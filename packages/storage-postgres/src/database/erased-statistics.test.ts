import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/raw.ts';
import { aCreateRequest, CLIENT, keyHash } from '../../test-support/records.ts';
import { createPostgresStorage, type PostgresStorage } from '../postgres-storage.ts';

const CANARY = 'canary-of-the-subject';

describeWith(['postgres'], 'replaceErasedStatistics', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  it('removes erased values from the statistics of the planner, also where they may have been read meanwhile', async () => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(storage.close);
    const sql = rawConnection(onTestFinished, url);
    const statistics = async () => {
      const rows = await sql`
        select stats::text as line from pg_stats as stats where tablename in ('verifications', 'webhook_attempts')`;
      return rows.map(({ line }) => String(line)).join('\n');
    };
    await storage.clients.create({ client: CLIENT, subscription: null });
    for (const n of [1, 2, 3]) {
      const { record, ...request } = aCreateRequest(n);
      await storage.verifications.createCharged({
        ...request,
        record: { ...record, subjectReference: `${CANARY} ${n}`, metadata: { note: CANARY } },
      });
    }
    await sql`analyze`;
    expect(await statistics()).toContain(CANARY);
    expect(await storage.replaceErasedStatistics()).toEqual([]);

    // As an erasure leaves them.
    await sql`update verifications set subject_reference = 'erased:' || id, metadata = '{}'`;
    await storage.retention.recordErasure(aReceipt());
    expect(await storage.replaceErasedStatistics()).toContain('verifications');
    expect(await statistics()).not.toContain(CANARY);

    // Values that were read before they were erased can still be in them.
    expect(await storage.replaceErasedStatistics()).toContain('verifications');
    await sql`update erasures set finished_at = finished_at - interval '11 minutes'`;
    expect(await storage.replaceErasedStatistics()).toEqual([]);
  });

  it('collects none where Postgres has none', async () => {
    const storage = await createPostgresStorage({ url: await server.createDatabase() });
    onTestFinished(storage.close);
    await storage.clients.create({ client: CLIENT, subscription: null });
    await storage.retention.recordErasure(aReceipt());
    expect(await storage.replaceErasedStatistics()).toEqual([]);
  });
});

function aReceipt(): Parameters<PostgresStorage['retention']['recordErasure']>[0] {
  const now = new Date();
  const { clientId, id: verificationId } = aCreateRequest(1).record;
  const counts = { steps: 0, files: 0, events: 1 };
  return {
    number: 1,
    clientId,
    verificationId,
    at: now,
    rule: 'log',
    ...counts,
    hash: keyHash(1),
    finishedAt: now,
  };
}
