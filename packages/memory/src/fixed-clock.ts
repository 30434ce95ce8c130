import type { Clock } from '@countersign/domain';

/** A clock that stands still until `set` or `advance` moves it. */
export interface FixedClock extends Clock {
  set(moment: Date | string): void;
  /** Milliseconds; negative goes back. */
  advance(milliseconds: number): void;
}

const DEFAULT_START = '2026-01-15T12:00:00.000Z';

export function createFixedClock(start: Date | string = DEFAULT_START): FixedClock {
  let present = new Date(start).getTime();
  return {
    now: () => new Date(present),
    set: (moment) => {
      present = new Date(moment).getTime();
    },
    advance: (milliseconds) => {
      present += milliseconds;
    },
  };
}
