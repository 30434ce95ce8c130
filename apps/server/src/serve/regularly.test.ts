import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { regularly } from './regularly.ts';

const noFault = (fault: unknown) => expect.unreachable(String(fault));

const HOURLY = { everyMs: 60 * 60 * 1_000 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('works at once and in its rhythm', async () => {
  const work = vi.fn<() => Promise<unknown>>(async () => undefined);
  const stop = regularly(work, noFault, HOURLY);
  expect(work).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  expect(work).toHaveBeenCalledTimes(3);

  await stop();
  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  expect(work).toHaveBeenCalledTimes(3);
});

test('never twice at once, and the end waits for the one that runs', async () => {
  let finish = (): void => undefined;
  const work = vi.fn<() => Promise<unknown>>(() => new Promise<void>((resolve) => (finish = resolve)));
  const stop = regularly(work, noFault, HOURLY);
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

test('a failure is told, and tried again the next time', async () => {
  const fault = new Error('the disk is away');
  const onFault = vi.fn<(fault: unknown) => void>();
  const work = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(fault).mockResolvedValue(undefined);
  const stop = regularly(work, onFault, HOURLY);
  await vi.advanceTimersByTimeAsync(60 * 60 * 1_000);
  await stop();
  expect(onFault.mock.calls).toEqual([[fault]]);
  expect(work).toHaveBeenCalledTimes(2);
});

test('after a failure it rests', async () => {
  const work = vi.fn<() => Promise<unknown>>().mockRejectedValue(new Error('the database is away'));
  const onFault = vi.fn<(fault: unknown) => void>();
  const stop = regularly(work, onFault, { everyMs: 1_000, afterFaultMs: 30_000 });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await stop();
  expect(work).toHaveBeenCalledTimes(2);
  expect(onFault).toHaveBeenCalledTimes(2);
});
