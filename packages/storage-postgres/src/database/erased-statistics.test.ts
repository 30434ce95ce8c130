import { describeWith, givenPostgres, grantServerRole } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import {
  aReceipt,
  CANARY,
  givenErased,
  NOTHING,
  openedAs,
  REPLACED,
} from '../../test-support/erased-statistics.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage, inspectPostgres } from '../postgres-storage.ts';

describeWith(['postgres'], 'replaceErasedStatistics', () => {
  const server = givenPostgres();

  it('removes erased values from the statistics of the planner, also where they may have been read meanwhile', async () => {
    const { storage, sql, statistics } = await givenErased(server);
    expect(await storage.replaceErasedStatistics()).toEqual(REPLACED);
    expect(await statistics()).not.toContain(CANARY);

    // Values that were read before they were erased can still be in them.
    expect(await storage.replaceErasedStatistics()).toEqual(REPLACED);
    await sql`update erasures set finished_at = finished_at - interval '11 minutes'`;
    expect(await storage.replaceErasedStatistics()).toEqual(NOTHING);
  });

  it('names tables that the user may not analyze, which Postgres only warns of', async () => {
    const { url, statistics } = await givenErased(server);
    const limited = await grantServerRole(url, { without: 'MAINTAIN', isPart: true });
    const storage = await openedAs({ url: limited });

    expect(await storage.replaceErasedStatistics()).toEqual({ replaced: [], kept: REPLACED.replaced });

    expect(await statistics()).toContain(CANARY);
    const { notAnalyzable } = await inspectPostgres({ url: limited });
    expect(notAnalyzable).toEqual(['index_entries', 'verification_events', 'verifications', 'webhook_attempts']);
  });

  it('collects none where Postgres has none', async () => {
    const storage = await createPostgresStorage({ url: await server.createDatabase() });
    onTestFinished(storage.close);
    await storage.clients.create({ client: CLIENT, subscription: null });
    await storage.retention.recordErasure(aReceipt());
    expect(await storage.replaceErasedStatistics()).toEqual(NOTHING);
  });
});
