import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { every, expiryJob, oldCopiesJob, tidyEvidence } from './jobs.ts';

test('tidyEvidence: logs how many files it deleted, and warns of files of another database', async () => {
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  await tidyEvidence({ tidy: async () => ({ deleted: 0, foreign: 0 }) }, log);
  expect([log.event.mock.calls, log.warning.mock.calls]).toEqual([[], []]);
  await tidyEvidence({ tidy: async () => ({ deleted: 2, foreign: 3 }) }, log);
  expect(log.event).toHaveBeenCalledExactlyOnceWith(expect.any(String), { count: 2 });
  expect(log.warning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('not in this database'), {
    count: 3,
  });
});

test('oldCopiesJob: logs how many copies it deleted, if any', async () => {
  const log = { event: vi.fn<Log['event']>() };
  const deleteCopies = vi.fn<() => Promise<number>>().mockResolvedValueOnce(0).mockResolvedValueOnce(2);
  const { run } = oldCopiesJob(deleteCopies, log);
  await run();
  expect(log.event).not.toHaveBeenCalled();
  await run();
  expect(log.event).toHaveBeenCalledExactlyOnceWith('deleted old copies of data', { count: 2 });
});

test('expiryJob: a slice with each run until none is due, one log line, then a pause of ten minutes', async () => {
  const slices = [
    { expired: 50, isDone: false },
    { expired: 49, isDone: false },
    { expired: 3, isDone: true },
    { expired: 0, isDone: true },
  ];
  const expire = vi.fn<() => Promise<{ expired: number; isDone: boolean }>>();
  for (const slice of slices) expire.mockResolvedValueOnce(slice);
  const log = { event: vi.fn<Log['event']>() };
  const onExpired = vi.fn<(count: number) => void>();
  let now = 0;
  const { run } = expiryJob({ expire }, log, onExpired, () => now);

  for (let second = 0; second < 10; second += 1) await run();
  expect(expire).toHaveBeenCalledTimes(3);
  expect(onExpired.mock.calls).toEqual([[50], [49], [3]]);
  expect(log.event).toHaveBeenCalledExactlyOnceWith('expired verifications', { count: 102 });

  now = 10 * 60_000;
  await run();
  await run();
  expect(expire).toHaveBeenCalledTimes(4);
  expect(log.event).toHaveBeenCalledTimes(1);
});

const noFault = (fault: unknown) => expect.unreachable(String(fault));

const HOURLY = { everyMs: 60 * 60 * 1_000 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('every: runs the job at once and at the interval, until it is stopped', async () => {
  const work = vi.fn<() => Promise<unknown>>(async () => undefined);
  const stop = every(work, noFault, HOURLY);
  expect(work).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  expect(work).toHaveBeenCalledTimes(3);

  await stop();
  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  expect(work).toHaveBeenCalledTimes(3);
});

test('every: runs one job at a time, and stop waits for the run in progress', async () => {
  let finish = (): void => undefined;
  const work = vi.fn<() => Promise<unknown>>(() => new Promise<void>((resolve) => (finish = resolve)));
  const stop = every(work, noFault, HOURLY);
  await vi.advanceTimersByTimeAsync(5 * 60 * 60 * 1_000);
  expect(work).toHaveBeenCalledTimes(1);

  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(stopped).toBe(false);
  finish();
  await stopping;
});

test('every: reports a fault and runs the job again at the next interval', async () => {
  const fault = new Error('the disk is away');
  const onFault = vi.fn<(fault: unknown) => void>();
  const work = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(fault).mockResolvedValue(undefined);
  const stop = every(work, onFault, HOURLY);
  await vi.advanceTimersByTimeAsync(60 * 60 * 1_000);
  await stop();
  expect(onFault.mock.calls).toEqual([[fault]]);
  expect(work).toHaveBeenCalledTimes(2);
});

test('every: pauses after a fault', async () => {
  const work = vi.fn<() => Promise<unknown>>().mockRejectedValue(new Error('the database is away'));
  const onFault = vi.fn<(fault: unknown) => void>();
  const stop = every(work, onFault, { everyMs: 1_000, afterFaultMs: 30_000 });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await stop();
  expect(work).toHaveBeenCalledTimes(2);
  expect(onFault).toHaveBeenCalledTimes(2);
});
