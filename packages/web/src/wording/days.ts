import { dateLocale } from '../site/day-in-words.ts';
import type { Language } from '../site/messages.ts';

/** A calendar day `YYYY-MM-DD` where there is little room: `3 Nov`. */
export function shortDayInWords(day: string, language: Language): string {
  return inUtc(new Date(`${day}T00:00:00Z`), language, { day: 'numeric', month: 'short' });
}

/** A month `YYYY-MM`: `November 2026`. */
export function monthInWords(month: string, language: Language): string {
  return inUtc(new Date(`${month}-01T00:00:00Z`), language, { month: 'long', year: 'numeric' });
}

function inUtc(moment: Date, language: Language, format: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(dateLocale(language), { ...format, timeZone: 'UTC' }).format(moment);
}
