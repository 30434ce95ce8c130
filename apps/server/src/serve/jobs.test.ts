import { createReadPause, type RetentionRunResult } from '@countersign/domain/retention';
import { createMemoryStorage } from '@countersign/memory';
import type { ReplacedStatistics } from '@countersign/storage-postgres';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import {
  erasedStatisticsJob,
  erasureJob,
  every,
  expiryJob,
  oldCopiesJob,
  serverJobs,
  startJobs,
  tidyEvidence,
} from './jobs.ts';

const NOW = new Date('2026-11-23T12:00:00.000Z');

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
  const deleteCopies = vi.fn<(now: Date) => Promise<number>>().mockResolvedValueOnce(0).mockResolvedValueOnce(2);
  const { run } = oldCopiesJob({ deleteCopies, readPause: async () => null, clock: { now: () => NOW } }, log);
  await run();
  expect(log.event).not.toHaveBeenCalled();
  await run();
  expect(log.event).toHaveBeenCalledExactlyOnceWith('deleted old copies of data', { count: 2 });
  expect(deleteCopies.mock.calls).toEqual([[NOW], [NOW]]);
});

test('oldCopiesJob: deletes nothing while the clock may have jumped', async () => {
  const deleteCopies = vi.fn<(now: Date) => Promise<number>>().mockResolvedValue(1);
  const storage = createMemoryStorage();
  await storage.retention.beginRun({ now: NOW, expectedFrom: NOW, expectedUntil: NOW, pauseUntil: NOW });
  let now = NOW;
  const parts = { deleteCopies, readPause: createReadPause(storage.retention), clock: { now: () => now } };
  const { run } = oldCopiesJob(parts, { event: () => undefined });

  now = new Date(NOW.getTime() + 8 * 24 * 60 * 60 * 1_000);
  await run();
  expect(deleteCopies).not.toHaveBeenCalled();

  now = new Date(NOW.getTime() + 60 * 60 * 1_000);
  await run();
  expect(deleteCopies).toHaveBeenCalledExactlyOnceWith(now);
});

test('erasedStatisticsJob: fails while the database keeps statistics with erased data, and names their tables', async () => {
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  const replace = vi
    .fn<() => Promise<ReplacedStatistics>>()
    .mockResolvedValueOnce({ replaced: [], kept: [] })
    .mockResolvedValueOnce({ replaced: ['verifications'], kept: ['webhook_attempts'] });
  const { run } = erasedStatisticsJob(replace, log);
  await run();
  expect([log.event.mock.calls, log.warning.mock.calls]).toEqual([[], []]);
  await expect(run()).rejects.toThrow('were not replaced');
  expect(log.event).toHaveBeenCalledExactlyOnceWith(expect.any(String), { count: 1 });
  expect(log.warning).toHaveBeenCalledExactlyOnceWith(expect.any(String), {
    reason: 'PostgreSQL kept those of webhook_attempts',
  });
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

describe('erasureJob', () => {
  const DONE: RetentionRunResult = {
    erased: 0,
    isDone: true,
    pausedUntil: null,
    missingInLog: 0,
    unexpectedInLog: [],
  };

  function given(...runs: readonly Partial<RetentionRunResult>[]) {
    const run = vi.fn<() => Promise<RetentionRunResult>>().mockResolvedValue(DONE);
    for (const result of runs) run.mockResolvedValueOnce({ ...DONE, ...result });
    const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
    const onRun = vi.fn<(run: RetentionRunResult) => void>();
    let now = 0;
    const job = erasureJob({ run }, log, onRun, () => now);
    return { job, run, log, onRun, passTenMinutes: () => (now += 10 * 60_000) };
  }

  test('runs a slice each second until nothing is due, logs the number once, then pauses for ten minutes', async () => {
    const { job, run, log, onRun, passTenMinutes } = given({ erased: 50, isDone: false }, { erased: 7 });
    for (let second = 0; second < 10; second += 1) await job.run();
    expect(run).toHaveBeenCalledTimes(2);
    expect(onRun.mock.calls.map(([{ erased }]) => erased)).toEqual([50, 7]);
    expect(log.event).toHaveBeenCalledExactlyOnceWith('erased verifications', { count: 57 });

    passTenMinutes();
    await job.run();
    expect(run).toHaveBeenCalledTimes(3);
    expect(log.event).toHaveBeenCalledTimes(1);
    expect(log.warning).not.toHaveBeenCalled();
  });

  test('warns once that the clock may have jumped, however often it runs during the pause', async () => {
    const paused = { pausedUntil: new Date('2026-11-24T00:00:00Z') };
    const { job, log, onRun, passTenMinutes } = given(paused, paused, {}, paused);
    for (let run = 0; run < 3; run += 1) {
      await job.run();
      passTenMinutes();
    }
    expect(log.warning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('the clock may have jumped'), {
      until: '2026-11-24T00:00:00.000Z',
    });
    expect(onRun.mock.calls.map(([{ pausedUntil }]) => pausedUntil?.toISOString())).toEqual([
      '2026-11-24T00:00:00.000Z',
      '2026-11-24T00:00:00.000Z',
      undefined,
    ]);
    await job.run();
    expect(log.warning).toHaveBeenCalledTimes(2);
  });

  test('warns once of each unexpected entry of the erasure log', async () => {
    const entry = (number: number) => ({ number, clientId: 'c', verificationId: `v-${number}`, at: new Date(0) });
    const { job, log, passTenMinutes } = given(
      { unexpectedInLog: [entry(7)] },
      { unexpectedInLog: [entry(7), entry(9)] },
      { unexpectedInLog: [entry(9)] },
    );
    for (let run = 0; run < 4; run += 1) {
      await job.run();
      passTenMinutes();
    }
    expect(log.warning.mock.calls.map(([, fields]) => fields)).toEqual([
      { number: 7, verificationId: 'v-7' },
      { number: 9, verificationId: 'v-9' },
    ]);
  });

  test('warns when the erasure log lacks entries, and again when it lacks more', async () => {
    const { job, log, passTenMinutes } = given({ missingInLog: 2 }, { missingInLog: 2 }, { missingInLog: 3 });
    for (let run = 0; run < 4; run += 1) {
      await job.run();
      passTenMinutes();
    }
    expect(log.warning.mock.calls).toEqual([
      ['the erasure log lacks erasures of the database', { count: 2 }],
      ['the erasure log lacks erasures of the database', { count: 3 }],
    ]);
  });
});

const noFault = (fault: unknown) => expect.unreachable(String(fault));

const HOURLY = { everyMs: 60 * 60 * 1_000 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('every: runs the job immediately and at the interval, until it is stopped', async () => {
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

test('startJobs: each job first runs in its own turn of the event loop, and no job starts after the stop', async () => {
  vi.useRealTimers();
  const runs: string[] = [];
  const job = (name: string) => ({ name, run: async () => void runs.push(name), interval: HOURLY });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const stop = startJobs(['first', 'second', 'third'].map(job), { fault: noFault });
  expect(runs).toEqual(['first']);
  await turn();
  expect(runs).toEqual(['first', 'second']);
  await stop();
  await turn();
  expect(runs).toEqual(['first', 'second']);
});

test('check_erasure_log: an incomplete erasure log is found within a minute while erase_data pauses', async () => {
  const missingInLog = vi.fn<(count: number) => void>();
  const log = { event: () => undefined, warning: () => undefined };
  const figures = { expired: () => undefined, erased: () => undefined, missingInLog };
  const core = { evidence: {}, expiry: {}, sandbox: {}, retention: { countMissingInLog: async () => 3 } };
  const job = serverJobs(core as unknown as Parameters<typeof serverJobs>[0], log, figures).find(
    ({ name }) => name === 'check_erasure_log',
  );
  await job?.run();
  expect(missingInLog).toHaveBeenCalledExactlyOnceWith(3);
  expect(job?.interval.everyMs).toBeLessThanOrEqual(30_000);
});
