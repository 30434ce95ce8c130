import type { Month } from '@countersign/domain';

/** The months that cases charge to. `minute` lies in March for the first three weeks' worth of minutes. */
export const MARCH: Month = '2026-03';
export const APRIL: Month = '2026-04';

const START = Date.UTC(2026, 2, 10, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The moment `n` minutes (and some milliseconds) into the story that a case tells; negative lies before it. */
export function minute(n: number, milliseconds = 0): Date {
  return new Date(START + n * MINUTE_MS + milliseconds);
}

export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}
