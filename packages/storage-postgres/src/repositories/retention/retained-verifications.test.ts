import type { RetentionFacts } from '@countersign/domain/retention';
import type { VerificationRecord } from '@countersign/domain/storage';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../../../test-support/migrated.ts';
import { rawConnection } from '../../../test-support/raw.ts';
import { aCreateRequest, CLIENT, verificationId } from '../../../test-support/records.ts';
import { createPostgresStorage, type PostgresStorage } from '../../postgres-storage.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const LATER = new Date('2031-03-11T00:00:00Z');

describeWith(['postgres'], 'verifications that retention looks at', () => {
  const createMigrated = givenMigrated(givenPostgres());

  async function givenStorage(): Promise<{ url: string; storage: PostgresStorage }> {
    const url = await createMigrated();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    return { url, storage };
  }

  /** Stores a rejected verification with the facts. */
  async function givenRejected(
    storage: PostgresStorage,
    n: number,
    facts: Partial<RetentionFacts>,
  ): Promise<void> {
    const request = aCreateRequest(n);
    await storage.verifications.createCharged(request);
    const record: VerificationRecord = {
      ...request.record,
      status: 'rejected',
      resolvedAt: NOW,
      ...facts,
      version: 2,
    };
    await storage.verifications.commit({ record, expectedVersion: 1, events: [] });
  }

  const dueIds = async ({ retention }: PostgresStorage, limit = 10): Promise<string[]> =>
    (await retention.due({ now: NOW, limit })).map(({ id }) => id);

  it('due: finds what a server of version 0.2.0 beside this one decided, until it is planned', async () => {
    const { url, storage } = await givenStorage();
    for (const n of [1, 2, 3]) await storage.verifications.createCharged(aCreateRequest(n));
    // That version does not know the columns of retention.
    await rawConnection(onTestFinished, url)`
      update verifications set status = 'rejected', resolved_at = ${NOW}, version = 2 where id <> ${verificationId(2)}`;
    expect(await dueIds(storage)).toEqual([verificationId(1), verificationId(3)]);

    const [decided] = await storage.retention.due({ now: NOW, limit: 1 });
    const place = { clientId: CLIENT.id, verificationId: verificationId(1) };
    expect(decided?.retentionCheckAt).toBeNull();
    const scheduled = await storage.retention.schedule({
      place,
      expected: { version: 2, retentionCheckAt: null, uploadsCheckAt: null },
      checkAt: LATER,
    });

    expect(scheduled).toEqual({ outcome: 'scheduled' });
    expect(await dueIds(storage)).toEqual([verificationId(3)]);
  });

  it('due: lists what has waited longest first, and what has no time last', async () => {
    const { storage } = await givenStorage();
    await givenRejected(storage, 1, {});
    await givenRejected(storage, 2, { retentionCheckAt: NOW });
    await givenRejected(storage, 3, { retentionCheckAt: new Date(0) });
    await givenRejected(storage, 4, { retentionCheckAt: LATER });

    expect(await dueIds(storage)).toEqual([3, 2, 1].map(verificationId));
    expect(await dueIds(storage, 2)).toEqual([3, 2].map(verificationId));
  });

  it('due: leaves out what is held without an end and what is erased', async () => {
    const { storage } = await givenStorage();
    await givenRejected(storage, 1, { heldAt: NOW });
    await givenRejected(storage, 2, { erasedAt: NOW });

    expect(await dueIds(storage)).toEqual([]);
  });

  it('recheck: two slices at once over the same verifications both end', { timeout: 60_000 }, async () => {
    const { url, storage } = await givenStorage();
    const other = await createPostgresStorage({ url });
    onTestFinished(() => other.close());
    for (let n = 1; n <= 100; n += 1) await givenRejected(storage, n, {});
    const recheck = (one: PostgresStorage, at: Date, after: string | null) =>
      one.retention.recheck({ clientId: CLIENT.id, after, limit: 80, at });

    for (let round = 30; round > 0; round -= 1) {
      const at = new Date(NOW.getTime() + round);
      const lasts = await Promise.all([recheck(storage, at, null), recheck(other, at, verificationId(20))]);
      expect(lasts).toEqual([{ last: verificationId(80) }, { last: verificationId(100) }]);
    }

    const found = await storage.retention.due({ now: new Date(NOW.getTime() + 1), limit: 200 });
    expect(found).toHaveLength(100);
  });

  it('beginRun: of instances that find a jump of the clock at the same time, one stores the pause and all see it', async () => {
    const { url, storage } = await givenStorage();
    const instances = [storage, ...(await Promise.all([1, 2, 3].map(() => createPostgresStorage({ url }))))];
    onTestFinished(async () => void (await Promise.all(instances.map((one) => one.close()))));
    const day = 86_400_000;
    // The clock of each instance is some milliseconds behind that of the one before.
    const begin = (one: PostgresStorage, from: Date, behind: number) => {
      const moment = (ms: number): Date => new Date(from.getTime() - behind + ms);
      return one.retention.beginRun({
        now: moment(0),
        expectedFrom: moment(-7 * day),
        expectedUntil: moment(60_000),
        pauseUntil: moment(day),
      });
    };
    const firsts = await Promise.all(instances.map((one, n) => begin(one, NOW, n)));
    expect(firsts.map(({ pausedUntil }) => pausedUntil)).toEqual([null, null, null, null]);

    const runs = await Promise.all(instances.map((one, n) => begin(one, LATER, n)));

    const ends = runs.map(({ pausedUntil }) => LATER.getTime() + day - (pausedUntil?.getTime() ?? 0));
    for (const behind of ends) expect([0, 1, 2, 3]).toContain(behind);
    expect(runs.filter(({ lastRunAt }) => (lastRunAt?.getTime() ?? 0) < LATER.getTime() - day)).toHaveLength(1);
  });
});
