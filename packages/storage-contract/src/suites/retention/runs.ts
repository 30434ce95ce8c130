import type { RetentionRun, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range } from '../../records/at-once.ts';
import { daysAfter, minute } from '../../records/ids.ts';
import { type Suite, suiteOf } from '../../suite.ts';

/** Begins a run: one is expected each 7 days, clocks differ by a minute, and a pause takes a day. */
function begin({ retention }: Storage, now: Date): Promise<RetentionRun> {
  return retention.beginRun({
    now,
    expectedFrom: daysAfter(now, -7),
    expectedUntil: new Date(now.getTime() + 60_000),
    pauseUntil: daysAfter(now, 1),
  });
}

const FIRST = minute(0, 7);
const JUMPED = daysAfter(FIRST, 8);

/** The id of the erasure log that belongs to the storage. */
export const erasureLogIdsSuite: Suite = suiteOf('erasure log ids', {
  'erasureLogId: is null until an id is stored': async ({ retention }) => {
    expect(await retention.erasureLogId()).toBeNull();
    expect(await retention.setErasureLogId('log-1')).toBe('log-1');
    expect(await retention.erasureLogId()).toBe('log-1');
  },

  'setErasureLogId: the first id stays, and is returned to later calls': async ({ retention }) => {
    await retention.setErasureLogId('log-1');
    expect(await retention.setErasureLogId('log-2')).toBe('log-1');
    expect(await retention.erasureLogId()).toBe('log-1');
  },

  'setErasureLogId: of many at once, one stores its id and all return it': async ({ retention }) => {
    const stored = await atOnce(10, (n) => retention.setErasureLogId(`log-${n}`));
    expect(new Set(stored)).toEqual(new Set([await retention.erasureLogId()]));
    expect(stored[0]).toMatch(/^log-/);
  },
});

/** Runs of the retention job, and the pause after a jump of the clock. */
export const runsSuite: Suite = suiteOf('retention runs', {
  'beginRun: the first run has none before it and never pauses': async (storage) => {
    expect(await begin(storage, FIRST)).toEqual({ lastRunAt: null, pausedUntil: null });
  },

  'beginRun: returns when the run before it began': async (storage) => {
    await begin(storage, FIRST);
    expect(await begin(storage, daysAfter(FIRST, 3))).toEqual({ lastRunAt: FIRST, pausedUntil: null });
    expect(await begin(storage, daysAfter(FIRST, 9))).toEqual({
      lastRunAt: daysAfter(FIRST, 3),
      pausedUntil: null,
    });
  },

  'beginRun: pauses after a last run that was too long ago': async (storage) => {
    await begin(storage, FIRST);
    expect(await begin(storage, daysAfter(FIRST, 7))).toEqual({ lastRunAt: FIRST, pausedUntil: null });
    const late = new Date(daysAfter(FIRST, 14).getTime() + 1);
    expect((await begin(storage, late)).pausedUntil).toEqual(daysAfter(late, 1));
  },

  'beginRun: pauses after a last run in the future': async (storage) => {
    await begin(storage, FIRST);
    const slow = new Date(FIRST.getTime() - 60_000);
    expect(await begin(storage, slow)).toEqual({ lastRunAt: FIRST, pausedUntil: null });
    const corrected = new Date(slow.getTime() - 60_001);
    expect((await begin(storage, corrected)).pausedUntil).toEqual(daysAfter(corrected, 1));
  },

  'beginRun: later runs see the pause': async (storage) => {
    await begin(storage, FIRST);
    await begin(storage, JUMPED);
    for (const days of [0, 0.5, 1, 2]) {
      const { pausedUntil } = await begin(storage, daysAfter(JUMPED, days));
      expect(pausedUntil).toEqual(daysAfter(JUMPED, 1));
    }
  },

  'beginRun: a second jump pauses again': async (storage) => {
    await begin(storage, FIRST);
    await begin(storage, JUMPED);
    const again = daysAfter(JUMPED, 30);
    expect(await begin(storage, again)).toEqual({ lastRunAt: JUMPED, pausedUntil: daysAfter(again, 1) });
  },

  'beginRun: a pause never ends later than one that begins now': async (storage) => {
    await begin(storage, FIRST);
    await begin(storage, JUMPED);
    const behind = new Date(JUMPED.getTime() - 50_000);
    expect((await begin(storage, behind)).pausedUntil).toEqual(daysAfter(behind, 1));
    expect((await begin(storage, JUMPED)).pausedUntil).toEqual(daysAfter(behind, 1));
  },

  'lastRun: returns the last run and its pause, and changes nothing': async (storage) => {
    expect(await storage.retention.lastRun()).toBeNull();
    await begin(storage, FIRST);
    expect(await storage.retention.lastRun()).toEqual({ lastRunAt: FIRST, pausedUntil: null });
    await begin(storage, JUMPED);
    const paused = { lastRunAt: JUMPED, pausedUntil: daysAfter(JUMPED, 1) };
    for (const _ of range(1, 2)) expect(await storage.retention.lastRun()).toEqual(paused);
  },

  'beginRun: of many at once that find a jump, one stores the pause and the others see it': async (storage) => {
    await begin(storage, FIRST);

    const runs = await atOnce(10, () => begin(storage, JUMPED));

    expect(runs.map(({ pausedUntil }) => pausedUntil)).toEqual(range(1, 10).map(() => daysAfter(JUMPED, 1)));
    const before = runs.map(({ lastRunAt }) => lastRunAt?.getTime()).toSorted();
    expect(before).toEqual([FIRST.getTime(), ...range(1, 9).map(() => JUMPED.getTime())]);
  },
});
