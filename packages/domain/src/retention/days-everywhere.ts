const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Days begin first in the time zone UTC+14, and last in UTC−12. */
const FIRST_ZONE_MS = 14 * HOUR_MS;
const LAST_ZONE_MS = -12 * HOUR_MS;

/**
 * Returns the last day, `YYYY-MM-DD`, that is over in every time zone by the given moment. A reader anywhere who relies on
 * "until that day" is promised no more than is true.
 *
 * @example
 * lastDayEverywhere(new Date('2026-12-24T12:00:00Z')); // '2026-12-23'
 */
export function lastDayEverywhere(until: Date): string {
  return dayAt(until.getTime() + LAST_ZONE_MS - DAY_MS);
}

/**
 * Returns the first day, `YYYY-MM-DD`, that begins in every time zone at the given moment or later. A reader anywhere who
 * waits "until that day begins" does not come too early.
 *
 * @example
 * firstDayEverywhere(new Date('2026-12-23T10:00:00Z')); // '2026-12-24'
 */
export function firstDayEverywhere(from: Date): string {
  return dayAt(from.getTime() + FIRST_ZONE_MS + DAY_MS - 1);
}

/** Returns the day that has begun somewhere, and not yet everywhere: the latest that a reader may call today. */
export function latestToday(now: Date): string {
  return dayAt(now.getTime() + FIRST_ZONE_MS);
}

function dayAt(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
