import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/raw.ts';
import { aCreateRequest, CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage, migratePostgres } from '../postgres-storage.ts';

const AT = new Date('2026-03-10T12:00:00Z');
const COUNT = 40;

const idOf = (n: number): string => `88888888-0000-7000-8000-${String(n).padStart(12, '0')}`;

describeWith(['postgres'], 'requests for exports by several instances', () => {
  it('requests for exports beside erasures that begin: none is stored after the erasure has begun', {
    timeout: 60_000,
  }, async () => {
    const server = await startPostgres({ fsync: false });
    const url = await server.createDatabase();
    await migratePostgres({ url });
    const [first, second] = [await createPostgresStorage({ url }), await createPostgresStorage({ url })];
    onTestFinished(async () => {
      await Promise.all([first.close(), second.close()]);
      await server.stop();
    });
    await first.clients.create({ client: CLIENT, subscription: null });
    const records = Array.from({ length: COUNT }, (_, n) => aCreateRequest(n + 1));
    for (const request of records) await first.verifications.createCharged(request);

    const outcomes = await Promise.all(
      records.map(async ({ record: { clientId, id: verificationId } }, n) => {
        const place = { clientId, verificationId };
        const found = await first.retention.find(place);
        if (found === null) throw new Error('the verification is missing');
        const begun = { ...found, status: 'rejected', resolvedAt: AT, erasedAt: AT, version: 2 } as const;
        const begin = first.retention.change({ verification: begun, expectedVersion: 1, events: [] });
        const request = second.exports.request({ ...place, id: idOf(n), requestedAt: AT, requestedBy: 'subject' });
        const [, requested] = await Promise.all([begin, request]);
        // What the erasure deletes must be there when it begins, and nothing may come after it.
        const counted = await second.exports.ofVerification(place);
        return { isStored: counted !== null, isReturned: requested !== null };
      }),
    );

    for (const { isStored, isReturned } of outcomes) expect(isStored).toBe(isReturned);
    const late = records.map(({ record: { clientId, id: verificationId } }, n) =>
      second.exports.request({
        clientId,
        verificationId,
        id: idOf(COUNT + n),
        requestedAt: AT,
        requestedBy: 'operator',
      }),
    );
    expect((await Promise.all(late)).every((one) => one === null)).toBe(true);
  });

  it('waits for an erasure that has begun in another transaction, and finds nothing to export then', async () => {
    const server = await startPostgres({ fsync: false });
    const url = await server.createDatabase();
    await migratePostgres({ url });
    const storage = await createPostgresStorage({ url });
    onTestFinished(async () => {
      await storage.close();
      await server.stop();
    });
    await storage.clients.create({ client: CLIENT, subscription: null });
    const request = aCreateRequest(1);
    await storage.verifications.createCharged(request);
    const { clientId, id: verificationId } = request.record;
    const raw = rawConnection(onTestFinished, url);

    const { requested } = await raw.begin(async (transaction) => {
      await transaction`update verifications set status = 'rejected', resolved_at = now(), erased_at = now() where id = ${verificationId}`;
      const pending = storage.exports.request({
        clientId,
        verificationId,
        id: idOf(1),
        requestedAt: AT,
        requestedBy: 'subject',
      });
      const blocked = () => transaction`select 1 from pg_locks where not granted`;
      while ((await blocked()).length === 0);
      return { requested: pending };
    });

    expect(await requested).toBeNull();
    expect(await storage.exports.find(idOf(1))).toBeNull();
  });
});
