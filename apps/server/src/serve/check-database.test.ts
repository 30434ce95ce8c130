import type { CheckedTables } from '@countersign/storage-sqlite';
import { expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { checkDatabaseJob } from './check-database.ts';
import { startJobs } from './jobs.ts';

test('check_database: logs a sound database, and fails for a damaged one', async () => {
  const log = { event: vi.fn<Log['event']>() };
  const checkTables = vi
    .fn<() => Promise<CheckedTables>>()
    .mockResolvedValueOnce({ outcome: 'sound', tables: 40 })
    .mockResolvedValueOnce({ outcome: 'damaged', found: ['clients: database disk image is malformed'] });
  const { run, interval } = checkDatabaseJob(checkTables, log);
  await run();
  expect(log.event).toHaveBeenCalledExactlyOnceWith('checked the database', { count: 40 });
  await expect(run()).rejects.toThrow('The database is damaged');
  expect(log.event).toHaveBeenCalledTimes(1);
  expect(interval.everyMs).toBe(24 * 60 * 60 * 1_000);
});

test('check_database: a server that stops does not wait for the check', async () => {
  const log = { event: vi.fn<Log['event']>(), fault: vi.fn<Log['fault']>() };
  const untilStopped = ({ signal }: { signal: AbortSignal }): Promise<CheckedTables> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ outcome: 'stopped' })));
  const stop = startJobs([checkDatabaseJob(untilStopped, log)], log);
  await stop();
  expect([log.event.mock.calls, log.fault.mock.calls]).toEqual([[], []]);
});
