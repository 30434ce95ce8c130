import { hourIn } from '@countersign/domain/retention';
import type { ClearedSpace, ErasedSpace, UnclearedSpace } from '@countersign/storage-sqlite';
import type { Log } from '../logging/log.ts';
import type { Job } from './jobs.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Erasures within this time share a clearing. */
const GATHERED_MS = MINUTE_MS;

/** The pause after a clearing, in multiples of its duration. */
const SHARE = 20;

/** The longest pause after a small file was cleared, and the pause in a large one's hour. */
const PAUSE_MS = 10 * MINUTE_MS;

/** Pause after an attempt that cleared nothing: the file was in use, or the disk was too full. */
const RETRY_MS = MINUTE_MS;

/** When a large file is cleared. */
export interface ClearingTime {
  /** From 0 to 23. */
  readonly hour: number;
  /** A name of the IANA database. */
  readonly timeZone: string;
}

/**
 * Makes the job that removes copies of erased values from the free space of a SQLite file: of a small file 60 s after the first erasure, of
 * a larger one in one hour of the day. A pause follows, because writes wait during a clearing.
 */
export function clearErasedSpaceJob(
  { find, clear }: ErasedSpace,
  { hour, timeZone }: ClearingTime,
  log: Pick<Log, 'event' | 'warning'>,
  clock: () => Date = () => new Date(),
): Job {
  let notBefore = Number.NEGATIVE_INFINITY;
  /** When this job first saw the erasures that wait now. Bounds the wait if the clock was set back to before their time. */
  let seenAt: number | undefined;
  let isWarned = false;

  /** Whether the free space is to be cleared now. */
  function isDue({ since, isSmall }: UnclearedSpace, now: Date): boolean {
    if (since === null) {
      seenAt = undefined;
      return false;
    }
    seenAt ??= now.getTime();
    if (!isSmall) return hourIn(now, timeZone) === hour;
    return now.getTime() >= Math.min(since.getTime(), seenAt) + GATHERED_MS;
  }

  async function run(): Promise<void> {
    const pause = notBefore - clock().getTime();
    // It is longer after the clock was set back.
    if (pause > 0 && pause <= PAUSE_MS) return;
    const uncleared = await find();
    if (!isDue(uncleared, clock())) return;
    const cleared = await clear();
    seenAt = undefined;
    notBefore = clock().getTime() + pauseAfter(cleared, uncleared);
    if (cleared.outcome === 'cleared') {
      log.event('cleared copies of erased values', { count: cleared.erasures });
    } else if (cleared.outcome === 'no_space' && !isWarned) {
      const { folder, neededBytes, freeBytes } = cleared;
      log.warning('too little free space to clear copies of erased values', { folder, neededBytes, freeBytes });
    }
    isWarned = cleared.outcome === 'no_space';
  }

  return { name: 'clear_erased_space', run, interval: { everyMs: SECOND_MS, afterFaultMs: PAUSE_MS } };
}

function pauseAfter(cleared: ClearedSpace, { isSmall }: UnclearedSpace): number {
  if (cleared.outcome !== 'cleared') return RETRY_MS;
  return isSmall ? Math.min(SHARE * cleared.durationMs, PAUSE_MS) : PAUSE_MS;
}
