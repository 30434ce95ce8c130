import type { ClearedSpace, ErasedSpace } from '@countersign/storage-sqlite';
import { expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { clearErasedSpaceJob } from './clear-erased-space.ts';

const CLEARED: ClearedSpace = { outcome: 'cleared', erasures: 2, durationMs: 100 };
const NO_SPACE: ClearedSpace = { outcome: 'no_space', folder: '/data', neededBytes: 2, freeBytes: 1 };

function given({ erasures = 2, isSmall = true, outcomes = [CLEARED] as readonly ClearedSpace[] } = {}) {
  const find: ErasedSpace['find'] = async () => ({
    erasures,
    since: erasures === 0 ? null : new Date(0),
    isSmall,
  });
  const clear = vi.fn<ErasedSpace['clear']>().mockResolvedValue(outcomes.at(-1) ?? CLEARED);
  for (const outcome of outcomes) clear.mockResolvedValueOnce(outcome);
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  let now = new Date(0);
  const { run } = clearErasedSpaceJob({ find, clear }, { hour: 3, timeZone: 'Europe/Berlin' }, log, () => now);
  const at = (time: string): Promise<unknown> => {
    now = new Date(`2026-07-01T${time}:00Z`);
    return run();
  };
  return { at, clear, log };
}

test('clear_erased_space: clears a small file at any hour, then pauses for ten minutes', async () => {
  const { at, clear, log } = given();
  await at('12:00');
  await at('12:09');
  expect(clear).toHaveBeenCalledTimes(1);
  expect(log.event).toHaveBeenCalledExactlyOnceWith('cleared copies of erased values', { count: 2 });
  await at('12:10');
  expect(clear).toHaveBeenCalledTimes(2);
});

test('clear_erased_space: does nothing without an erasure', async () => {
  const { at, clear } = given({ erasures: 0 });
  await at('01:30');
  expect(clear).not.toHaveBeenCalled();
});

test('clear_erased_space: clears a large file in the given hour of the time zone only', async () => {
  const { at, clear } = given({ isSmall: false });
  for (const time of ['00:59', '02:00', '03:00', '12:00']) await at(time);
  expect(clear).not.toHaveBeenCalled();
  await at('01:00');
  await at('01:59');
  expect(clear).toHaveBeenCalledTimes(2);
});

test('clear_erased_space: warns once that the disk is too full, until it was cleared', async () => {
  const { at, log } = given({ outcomes: [NO_SPACE, NO_SPACE, CLEARED, NO_SPACE] });
  for (const time of ['12:00', '12:10', '12:20', '12:30']) await at(time);
  expect(log.warning.mock.calls).toEqual(
    Array.from({ length: 2 }, () => [
      'too little free space to clear copies of erased values',
      { folder: '/data', neededBytes: 2, freeBytes: 1 },
    ]),
  );
});

test('clear_erased_space: tries again after another process was at work', async () => {
  const { at, clear, log } = given({ outcomes: [{ outcome: 'busy' }, CLEARED] });
  await at('12:00');
  await at('12:10');
  expect(clear).toHaveBeenCalledTimes(2);
  expect(log.warning).not.toHaveBeenCalled();
});
