import { QUEUE } from '@countersign/test-support/records/queries';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { createSqliteStorage } from '../index.ts';

const OF_ONE_TYPE = { ...QUEUE, status: 'submitted', type: 'kyc', countUpTo: 1 } as const;

it('queue: the total of one type comes from the counts, and from the verifications if there are 10,000 counts', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 3 });
  const raw = rawConnection(onTestFinished, file);
  raw.exec("UPDATE verifications SET status = 'submitted', submitted_at = rowid");
  raw.exec('UPDATE verification_counts SET submitted = 7');
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());

  const fromCounts = await storage.verifications.queue(OF_ONE_TYPE);
  raw.exec(`
    INSERT INTO verification_counts (client_id, day, type)
    WITH RECURSIVE days (day) AS (SELECT 1 UNION ALL SELECT day + 1 FROM days WHERE day < 9999)
    SELECT clients.id, day, 'kyb' FROM clients, days`);
  const counted = await storage.verifications.queue(OF_ONE_TYPE);

  expect(fromCounts.totalCount).toBe(7);
  expect(counted.totalCount).toBe(2);
  for (const { records } of [fromCounts, counted]) expect(records).toHaveLength(3);
});
