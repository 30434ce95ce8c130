import { describe, expect, it, vi } from 'vitest';
import { erasing, retained } from '../../test-support/erasures.ts';
import { pending } from '../../test-support/verifications.ts';
import type { DataState, ReadPause } from '../retention/data-state.ts';
import {
  createReadPause,
  createWithPause,
  DEFAULT_RETENTION_SETTINGS,
  LONGEST_GAP_MS,
  PAUSE_MS,
  ruleOf,
} from './retained-rules.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const after = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

describe('createReadPause', () => {
  const pauseWith = (lastRunAt: Date, pausedUntil: Date | null) =>
    createReadPause({ lastRun: async () => ({ lastRunAt, pausedUntil }) })(NOW);

  it('finds no pause before the first run', async () => {
    expect(await createReadPause({ lastRun: async () => null })(NOW)).toBeNull();
  });

  it.each([
    ['a week ago', -LONGEST_GAP_MS, null],
    ['more than a week ago', -LONGEST_GAP_MS - 1, after(PAUSE_MS)],
    ['a week ahead', LONGEST_GAP_MS, null],
    ['more than a week ahead', LONGEST_GAP_MS + 1, after(PAUSE_MS)],
  ])('expects a whole pause if the last run is too far away: %s', async (_when, distance, pause) => {
    expect(await pauseWith(after(distance), null)).toEqual(pause);
  });

  it('returns the end of the pause that holds, and none once it has ended', async () => {
    expect(await pauseWith(NOW, after(1))).toEqual(after(1));
    expect(await pauseWith(NOW, NOW)).toBeNull();
  });
});

describe('createWithPause', () => {
  const pausedUntil = after(PAUSE_MS);
  function given() {
    const readPause = vi.fn<ReadPause>(async () => pausedUntil);
    return { readPause, withPause: createWithPause(readPause) };
  }

  it.each<[DataState, Date | null]>([
    [{ state: 'kept', until: after(-1) }, pausedUntil],
    [{ state: 'restricted', until: after(1) }, pausedUntil],
    [{ state: 'restricted', until: after(PAUSE_MS + 1) }, after(PAUSE_MS + 1)],
    [{ state: 'held', until: after(1) }, after(1)],
  ])('moves the end of %j to that of the pause, but not the end of a hold', async (state, until) => {
    expect(await given().withPause(state, NOW)).toEqual({ ...state, until });
  });

  it('reads the pause only for data that is erased before any pause can end', async () => {
    const { readPause, withPause } = given();
    const latest = LONGEST_GAP_MS + PAUSE_MS;
    for (const until of [null, after(latest)]) await withPause({ state: 'kept', until }, NOW);
    expect(readPause).not.toHaveBeenCalled();
    await withPause({ state: 'kept', until: after(latest - 1) }, NOW);
    expect(readPause).toHaveBeenCalledExactlyOnceWith(NOW);
  });
});

it('ruleOf: names the rule of an erasure that has begun, and fails for an open verification', () => {
  expect(ruleOf(erasing(), DEFAULT_RETENTION_SETTINGS)).toBe('rejected');
  expect(() => ruleOf(retained({}, pending()), DEFAULT_RETENTION_SETTINGS)).toThrow(
    'The verification verification-1 is open and cannot be erased',
  );
});
