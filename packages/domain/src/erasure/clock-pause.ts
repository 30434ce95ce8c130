import { notErasedBefore, type ReadPause, type WithPause } from '../retention/data-state.ts';
import type { RetentionRepository } from './retention-repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The longest time between two runs of the retention job after which the clock is believed. */
export const LONGEST_GAP_MS: number = 7 * DAY_MS;

/** How long nothing is erased after a longer one. */
export const PAUSE_MS: number = DAY_MS;

/** Creates the function that returns until when no erasure begins, or null: for a day after a gap of more than a week between two runs of the retention job. */
export function createReadPause(retention: Pick<RetentionRepository, 'lastRun'>): ReadPause {
  return async (now) => {
    const last = await retention.lastRun();
    if (last === null) return null;
    const { lastRunAt, pausedUntil } = last;
    const gap = now.getTime() - lastRunAt.getTime();
    if (gap > LONGEST_GAP_MS || gap < -LONGEST_GAP_MS) return new Date(now.getTime() + PAUSE_MS);
    return pausedUntil !== null && pausedUntil > now ? pausedUntil : null;
  };
}

/** Later than any pause can end: the clock of the run that began it may be ahead. */
const LATEST_END_MS = LONGEST_GAP_MS + PAUSE_MS;

/** Creates `WithPause`. It reads the pause only for data that is erased soon. */
export function createWithPause(readPause: ReadPause): WithPause {
  return async (state, now) => {
    const { until } = state;
    const isSoon = until !== null && until.getTime() < now.getTime() + LATEST_END_MS;
    return isSoon ? notErasedBefore(state, await readPause(now)) : state;
  };
}
