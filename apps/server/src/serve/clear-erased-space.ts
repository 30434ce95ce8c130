import { hourIn } from '@countersign/domain/retention';
import type { ErasedSpace } from '@countersign/storage-sqlite';
import type { Log } from '../logging/log.ts';
import type { Job } from './jobs.ts';

const MINUTE_MS = 60 * 1_000;

/** Pause after each attempt. */
const PAUSE_MS = 10 * MINUTE_MS;

/** When a large file is cleared. */
export interface ClearingTime {
  /** From 0 to 23. */
  readonly hour: number;
  /** A name of the IANA database. */
  readonly timeZone: string;
}

/**
 * Makes the job that removes copies of erased values from the free space of a SQLite file: of a small file soon after the erasure,
 * of a larger one in one hour of the day, because writes wait meanwhile.
 */
export function clearErasedSpaceJob(
  { find, clear }: ErasedSpace,
  { hour, timeZone }: ClearingTime,
  log: Pick<Log, 'event' | 'warning'>,
  clock: () => Date = () => new Date(),
): Job {
  let notBefore = Number.NEGATIVE_INFINITY;
  let isWarned = false;

  async function run(): Promise<void> {
    const now = clock();
    if (now.getTime() < notBefore) return;
    const { erasures, isSmall } = await find();
    if (erasures === 0 || !(isSmall || hourIn(now, timeZone) === hour)) return;
    notBefore = now.getTime() + PAUSE_MS;
    const cleared = await clear();
    if (cleared.outcome === 'cleared') {
      log.event('cleared copies of erased values', { count: cleared.erasures });
    } else if (cleared.outcome === 'no_space' && !isWarned) {
      const { folder, neededBytes, freeBytes } = cleared;
      log.warning('too little free space to clear copies of erased values', { folder, neededBytes, freeBytes });
    }
    isWarned = cleared.outcome === 'no_space';
  }

  return { name: 'clear_erased_space', run, interval: { everyMs: MINUTE_MS, afterFaultMs: PAUSE_MS } };
}
