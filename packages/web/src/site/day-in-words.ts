import type { Language } from './messages.ts';

/** By whose custom dates are written. English is read all over the world: the day comes first, as in most of it. */
export function dateLocale(language: Language): string {
  return language === 'en' ? 'en-GB' : language;
}

/** A calendar day `YYYY-MM-DD` as people write it; any other text as it is. */
export function dayInWords(day: string, language: Language): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(dateLocale(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}
