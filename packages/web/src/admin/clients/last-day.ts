const DAY_MS = 24 * 60 * 60 * 1000;

/** The last day on which a subscription runs, `YYYY-MM-DD` in UTC, of the first moment at which it no longer does. */
export function lastDayOf(endsAt: Date): string {
  return new Date(endsAt.getTime() - 1).toISOString().slice(0, 10);
}

/** The first moment after a day `YYYY-MM-DD` in UTC; null for what is no day, or the last that can be written so. */
export function endOfDay(day: string): Date | null {
  const start = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== day) return null;
  const end = new Date(start.getTime() + DAY_MS);
  return end.getUTCFullYear() > 9999 ? null : end;
}
