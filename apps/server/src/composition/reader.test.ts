import { expect, it, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { createServerReader, endReadings, type Wait, warnSeldom } from './reader.ts';

it('a reader that fails is logged once an hour, with the number of pictures', () => {
  const warning = vi.fn<Log['warning']>();
  let now = 0;
  const warn = warnSeldom({ warning }, () => now);
  warn('it exited');
  for (let picture = 0; picture < 100; picture += 1) warn('it took too long');
  now = 3_600_000;
  warn('it does not start');
  expect(warning.mock.calls.map(([, fields]) => fields)).toEqual([
    { reason: 'it exited', count: 1 },
    { reason: 'it does not start', count: 101 },
  ]);
});

it('a server with READER=off has no reader', () => {
  const log = { warning: vi.fn<Log['warning']>() };
  expect(createServerReader({ readsDocuments: false }, { log, metrics: undefined }).reader).toBeUndefined();
});

it('the reader ends before warnings are waited for, so that no reading asks for more of them', async () => {
  const order: string[] = [];
  const settled = async () => {
    order.push('waits');
    await Promise.resolve();
    order.push('settled');
  };
  const log = { warning: vi.fn<Log['warning']>() };
  const dropWaiting = vi.fn<() => void>();
  const forEver = () => new Promise<false>(() => undefined);
  await endReadings({ close: () => order.push('reader ended') }, { settled, dropWaiting }, { log, wait: forEver });
  order.push('goes on');
  expect(order).toEqual(['reader ended', 'waits', 'settled', 'goes on']);
  expect([dropWaiting.mock.calls, log.warning.mock.calls]).toEqual([[], []]);
});

it('a stop does not keep waiting once the warnings are settled', async () => {
  let isAborted = false;
  const wait: Wait = (_ms, _value, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
        reject(new Error('aborted'));
      });
    });
  const warnings = { settled: async () => undefined, dropWaiting: () => undefined };
  await endReadings({ close: () => undefined }, warnings, { log: { warning: () => undefined }, wait });
  expect(isAborted).toBe(true);
});

it('a stop drops warnings that are not kept within ten seconds, and logs the command that keeps them', async () => {
  const log = { warning: vi.fn<Log['warning']>() };
  const dropWaiting = vi.fn<() => void>();
  const wait = vi.fn<Wait>(async () => false);
  const neverSettled = { settled: () => new Promise<void>(() => undefined), dropWaiting };
  await endReadings({ close: () => undefined }, neverSettled, { log, wait });
  expect(wait).toHaveBeenCalledWith(10_000, false, { signal: expect.any(AbortSignal) });
  expect(dropWaiting).toHaveBeenCalledTimes(1);
  expect(log.warning.mock.calls).toEqual([
    [expect.stringContaining('`countersign warnings recompute --all`'), { waitedMs: 10_000 }],
  ]);
});
