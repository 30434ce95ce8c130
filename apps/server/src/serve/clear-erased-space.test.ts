import type { ClearedSpace, ErasedSpace } from '@countersign/storage-sqlite';
import { expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { clearErasedSpaceJob } from './clear-erased-space.ts';

const CLEARED: ClearedSpace = { outcome: 'cleared', erasures: 2, durationMs: 100 };
const NO_SPACE: ClearedSpace = { outcome: 'no_space', folder: '/data', neededBytes: 2, freeBytes: 1 };

const dateOf = (time: string) => new Date(`2026-07-01T${time}Z`);

function given({ isSmall = true, outcomes = [CLEARED] as readonly ClearedSpace[] } = {}) {
  let since: Date | null = null;
  let now = new Date(0);
  const find: ErasedSpace['find'] = async () => ({ erasures: since === null ? 0 : 2, since, isSmall });
  const left = [...outcomes];
  const clearedAt: string[] = [];
  const clear: ErasedSpace['clear'] = async () => {
    clearedAt.push(now.toISOString().slice(11, 19));
    const outcome = left.shift() ?? outcomes.at(-1) ?? CLEARED;
    if (outcome.outcome === 'cleared') since = null;
    return outcome;
  };
  const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
  const job = clearErasedSpaceJob({ find, clear }, { hour: 3, timeZone: 'Europe/Berlin' }, log, () => now);
  return {
    log,
    clearedAt,
    job,
    eraseAt(time: string) {
      since = dateOf(time);
    },
    /** Runs the job at its interval. */
    async from(first: string, last: string): Promise<void> {
      for (now = dateOf(first); now <= dateOf(last); now = new Date(now.getTime() + job.interval.everyMs))
        await job.run();
    },
  };
}

test('clear_erased_space: clears a small file 60 s after the first erasure, each time', async () => {
  const { eraseAt, from, clearedAt, log } = given();
  eraseAt('12:00:00');
  await from('12:00:00', '12:01:10');
  expect(clearedAt).toEqual(['12:01:00']);
  expect(log.event).toHaveBeenCalledExactlyOnceWith('cleared copies of erased values', { count: 2 });
  eraseAt('12:01:11');
  await from('12:01:11', '12:05:00');
  expect(clearedAt).toEqual(['12:01:00', '12:02:11']);
});

test.each([
  [7_000, 'after 20 times its duration', '12:03:20'],
  [31_000, 'after ten minutes at most', '12:11:00'],
])('clear_erased_space: after a clearing of %d ms, it clears again %s', async (durationMs, _, expected) => {
  const { eraseAt, from, clearedAt } = given({ outcomes: [{ ...CLEARED, durationMs }] });
  eraseAt('12:00:00');
  await from('12:00:00', '12:01:00');
  eraseAt('12:01:01');
  await from('12:01:01', '12:12:00');
  expect(clearedAt).toEqual(['12:01:00', expected]);
});

test('clear_erased_space: clears erasures from before a restart without a further wait', async () => {
  const { eraseAt, from, clearedAt } = given();
  eraseAt('11:00:00');
  await from('12:00:00', '12:00:10');
  expect(clearedAt).toEqual(['12:00:00']);
});

test('clear_erased_space: waits at most 60 s if the clock was set back', async () => {
  const { eraseAt, from, clearedAt } = given({ outcomes: [{ ...CLEARED, durationMs: 10_000 }] });
  eraseAt('15:00:00');
  await from('15:00:00', '15:01:00');
  eraseAt('15:01:01');
  await from('12:00:00', '12:01:00');
  expect(clearedAt).toEqual(['15:01:00', '12:01:00']);
});

test('clear_erased_space: does nothing without an erasure', async () => {
  const { from, clearedAt } = given();
  await from('01:30:00', '01:35:00');
  expect(clearedAt).toEqual([]);
});

test('clear_erased_space: clears a large file in the given hour of the time zone, once in ten minutes', async () => {
  const { eraseAt, from, clearedAt } = given({ isSmall: false });
  eraseAt('00:00:00');
  await from('00:30:00', '00:59:59');
  expect(clearedAt).toEqual([]);
  await from('01:00:00', '01:00:00');
  eraseAt('01:00:01');
  await from('01:00:01', '01:30:00');
  eraseAt('01:55:00');
  await from('02:00:00', '02:10:00');
  expect(clearedAt).toEqual(['01:00:00', '01:10:00']);
});

test('clear_erased_space: warns once that the disk is too full, until it was cleared', async () => {
  const { eraseAt, from, clearedAt, log } = given({ outcomes: [NO_SPACE, NO_SPACE, CLEARED, NO_SPACE] });
  eraseAt('12:00:00');
  await from('12:01:00', '12:03:00');
  eraseAt('12:03:01');
  await from('12:03:01', '12:04:10');
  expect(clearedAt).toEqual(['12:01:00', '12:02:00', '12:03:00', '12:04:01']);
  expect(log.warning.mock.calls).toEqual(
    Array.from({ length: 2 }, () => [
      'too little free space to clear copies of erased values',
      { folder: '/data', neededBytes: 2, freeBytes: 1 },
    ]),
  );
});

test('clear_erased_space: tries again after a minute while another process uses the file', async () => {
  const { eraseAt, from, clearedAt, log } = given({ outcomes: [{ outcome: 'busy' }, CLEARED] });
  eraseAt('12:00:00');
  await from('12:01:00', '12:05:00');
  expect(clearedAt).toEqual(['12:01:00', '12:02:00']);
  expect(log.warning).not.toHaveBeenCalled();
});
