import type { Clock } from '@countersign/domain';

/** The machine's own clock. */
export function createSystemClock(): Clock {
  return { now: () => new Date() };
}
