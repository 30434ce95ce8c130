import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../../test-support/migrated.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { aCreateRequest, CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage } from '../postgres-storage.ts';

describeWith(['postgres'], 'a reading beside a change of its verification', () => {
  const createMigrated = givenMigrated(givenPostgres());

  it('save: waits for a change that has begun, and is refused once that is committed', async () => {
    const url = await createMigrated();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    const { record, ...request } = aCreateRequest(1);
    await storage.verifications.createCharged({ record, ...request });
    const [changing, watching] = [rawConnection(onTestFinished, url), rawConnection(onTestFinished, url)];
    const place = { clientId: CLIENT.id, verificationId: record.id, fileId: record.id };

    const { saved } = await changing.begin(async (change) => {
      await change`update verifications set version = version + 1`;
      const saving = storage.readings.save(
        { ...place, readerVersion: '1', readAt: record.requestedAt, data: {} },
        record.version,
      );
      const waits = async () =>
        (
          await watching`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        ).length > 0;
      await Promise.race([saving, until(waits)]);
      return { saved: { saving } };
    });

    expect(await saved.saving).toBe(false);
    expect(await storage.readings.find(place)).toEqual([]);
  });
});
