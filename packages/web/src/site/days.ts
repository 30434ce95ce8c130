import { firstDayEverywhere, lastDayEverywhere, latestToday } from '@countersign/domain/retention';
import { countOfUnits, dayInWords } from './formats.ts';
import type { Page } from './page.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** Dates for readers whose time zone is unknown: days without a time, which promise no more than is true anywhere. */
type Reader = Pick<Page, 't' | 'language'>;

/** Says until when something works: `until 22 December 2026`, or `for another 5 hours` if no whole day is left. */
export function untilInWords({ t, language }: Reader, end: Date, now: Date): string {
  const day = lastDayEverywhere(end);
  if (day >= latestToday(now)) return t('site:until.day', { day: dayInWords(day, language) });
  const left = end.getTime() - now.getTime();
  const span =
    left >= HOUR_MS
      ? countOfUnits(Math.floor(left / HOUR_MS), 'hour', language)
      : countOfUnits(Math.max(1, Math.floor(left / MINUTE_MS)), 'minute', language);
  return t('site:until.span', { span });
}

/** Returns the first day on which something holds all day: `24 December 2026`. */
export function fromDayInWords(from: Date, { language }: Reader): string {
  return dayInWords(firstDayEverywhere(from), language);
}

/** Returns the day of a moment in UTC, for what promises nothing: `23 December 2026`. */
export function utcDayInWords(moment: Date, { language }: Pick<Reader, 'language'>): string {
  return dayInWords(moment.toISOString().slice(0, 'YYYY-MM-DD'.length), language);
}
