import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { keepTidying, tidyEvidence } from './tidying.ts';

const noFault = (fault: unknown) => expect.unreachable(String(fault));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('tidies at once and every hour', async () => {
  const tidy = vi.fn<() => Promise<unknown>>(async () => undefined);
  const stop = keepTidying(tidy, noFault);
  expect(tidy).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  expect(tidy).toHaveBeenCalledTimes(3);

  await stop();
  await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1_000);
  expect(tidy).toHaveBeenCalledTimes(3);
});

test('never twice at once, and the end waits for the one that runs', async () => {
  let finish = (): void => undefined;
  const tidy = vi.fn<() => Promise<unknown>>(() => new Promise<void>((resolve) => (finish = resolve)));
  const stop = keepTidying(tidy, noFault);
  await vi.advanceTimersByTimeAsync(5 * 60 * 60 * 1_000);
  expect(tidy).toHaveBeenCalledTimes(1);

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
  const tidy = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(fault).mockResolvedValue(undefined);
  const stop = keepTidying(tidy, onFault);
  await vi.advanceTimersByTimeAsync(60 * 60 * 1_000);
  await stop();
  expect(onFault.mock.calls).toEqual([[fault]]);
  expect(tidy).toHaveBeenCalledTimes(2);
});

test('what was deleted, and what seems to belong to another database, is told in the log', async () => {
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  await tidyEvidence({ tidy: async () => ({ deleted: 0, foreign: 0 }) }, log);
  expect([log.event.mock.calls, log.warning.mock.calls]).toEqual([[], []]);
  await tidyEvidence({ tidy: async () => ({ deleted: 2, foreign: 3 }) }, log);
  expect(log.event).toHaveBeenCalledExactlyOnceWith(expect.any(String), { count: 2 });
  expect(log.warning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('not in this database'), {
    count: 3,
  });
});
