/** A period of whole years, months, weeks and days, as ISO 8601 writes it: `P5Y`, `P1Y6M`, `P90D`. */
export interface Duration {
  /** Years count as twelve months. */
  readonly months: number;
  /** Weeks count as seven days. */
  readonly days: number;
}

/** Longest duration, in years: most months, and most days. */
export const DURATION_MAX_YEARS = 100;

const DAY_MS = 24 * 60 * 60 * 1000;
const MONTHS_IN_YEAR = 12;
const DAYS_IN_WEEK = 7;
const MONTHS_MAX = DURATION_MAX_YEARS * MONTHS_IN_YEAR;
const DAYS_MAX = DURATION_MAX_YEARS * 365;

const ISO_8601 = /^P(?=\d)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?$/;

/**
 * Parses an ISO 8601 duration of whole years, months, weeks and days. `P0D` is no time.
 * @returns null if the text is no such duration, or one of more months or days than `DURATION_MAX_YEARS` have
 */
export function parseDuration(text: string): Duration | null {
  const parts = ISO_8601.exec(text);
  if (parts === null) return null;
  const [years = 0, months = 0, weeks = 0, days = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const duration = { months: years * MONTHS_IN_YEAR + months, days: weeks * DAYS_IN_WEEK + days };
  return duration.months > MONTHS_MAX || duration.days > DAYS_MAX ? null : duration;
}

/** Whether a duration is no time at all. */
export function isNoTime({ months, days }: Duration): boolean {
  return months === 0 && days === 0;
}

/**
 * Whether a period never ends before one of the other duration that begins on the same day, whatever day that is: `P1826D` is
 * not at least `P5Y`, which can have two leap days.
 */
export function isAtLeast(a: Duration, b: Duration): boolean {
  // Without a look at 4,800 months.
  if (a.months >= b.months && a.days >= b.days) return true;
  return MONTHS.every((_, first) =>
    LAST_DAYS.every(
      (day) => lastDayOf(first + a.months, day) + a.days >= lastDayOf(first + b.months, day) + b.days,
    ),
  );
}

/** Years after which the calendar repeats. */
const YEARS_IN_CYCLE = 400;
const DAYS_IN_CYCLE = 146_097;
/** A year with which a cycle begins. */
const FIRST_YEAR = 2000;

/** The months of a cycle: the days before each, and its length. */
const MONTHS: readonly { readonly before: number; readonly length: number }[] = Array.from(
  { length: YEARS_IN_CYCLE * MONTHS_IN_YEAR },
  (_, month) => {
    const [begins, ends] = [Date.UTC(FIRST_YEAR, month), Date.UTC(FIRST_YEAR, month + 1)];
    return { before: (begins - Date.UTC(FIRST_YEAR)) / DAY_MS, length: (ends - begins) / DAY_MS };
  },
);

/** The days of a month on which a period can begin that ends early, in a month without that day. Day 28 stands for the others. */
const LAST_DAYS = [28, 29, 30, 31] as const;

/** Returns the number, from the beginning of a cycle, of a day in a month, or of the last day of a month without it. */
function lastDayOf(month: number, day: number): number {
  const { before = 0, length = 0 } = MONTHS[month % MONTHS.length] ?? {};
  return Math.floor(month / MONTHS.length) * DAYS_IN_CYCLE + before + Math.min(day, length);
}
