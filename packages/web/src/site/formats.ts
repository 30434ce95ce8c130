import type { Language } from './language.ts';

/** Caches formatters by locale and options: making one takes about 70 times as long as using it. */
function cached<O extends object, F>(
  Format: new (locale: string, options: O) => F,
): (locale: string, options: O) => F {
  const cache = new Map<string, F>();
  return (locale, options) => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const made = new Format(locale, options);
    cache.set(key, made);
    return made;
  };
}

const dateFormat = cached(Intl.DateTimeFormat);
const numberFormat = cached(Intl.NumberFormat);
const agoFormat = cached(Intl.RelativeTimeFormat);
const displayNames = cached(Intl.DisplayNames);
const collator = cached(Intl.Collator);

/** English with the day first, as most of the world writes it. */
const DATE_LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de' };

function inUtc(date: Date, language: Language, options: Intl.DateTimeFormatOptions): string {
  return dateFormat(DATE_LOCALES[language], { ...options, timeZone: 'UTC' }).format(date);
}

/** Formats a calendar day `YYYY-MM-DD`: `3 November 2026`. Any other text stays as it is. */
export function dayInWords(day: string, language: Language): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : inUtc(date, language, { dateStyle: 'long' });
}

/** Formats a calendar day `YYYY-MM-DD` short: `3 Nov`. */
export function shortDayInWords(day: string, language: Language): string {
  return inUtc(new Date(`${day}T00:00:00Z`), language, { day: 'numeric', month: 'short' });
}

/** Formats a month `YYYY-MM`: `November 2026`. */
export function monthInWords(month: string, language: Language): string {
  return inUtc(new Date(`${month}-01T00:00:00Z`), language, { month: 'long', year: 'numeric' });
}

/** Formats a time to the minute, in UTC: reviewers may work in several time zones. */
export function momentInWords(moment: Date, language: Language): string {
  return inUtc(moment, language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in its one or two largest units, at least a minute: `3 days, 4 hours`. */
export function durationInWords(milliseconds: number, language: Language): string {
  const minutes = Math.max(1, Math.floor(milliseconds / MINUTE));
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const parts: readonly (readonly [count: number, unit: string])[] =
    days > 0
      ? [
          [days, 'day'],
          [hours, 'hour'],
        ]
      : [
          [hours, 'hour'],
          [minutes % 60, 'minute'],
        ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    .join(', ');
}

const AGO_UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

/** Formats an age in its largest unit, at least a minute: `3 days ago`. */
export function agoInWords(milliseconds: number, language: Language): string {
  const [unit, length] = AGO_UNITS.find(([, ms]) => milliseconds >= ms) ?? AGO_UNITS[2];
  const count = Math.max(1, Math.floor(milliseconds / length));
  return agoFormat(language, {}).format(-count, unit);
}

/** Formats a whole number: `10,000` or `10.000`. */
export function figure(count: number, language: Language): string {
  return numberFormat(language, {}).format(count);
}

/** Formats a number with up to six decimals. */
export function decimalInWords(value: number, language: Language): string {
  return numberFormat(language, { maximumFractionDigits: 6 }).format(value);
}

/** Formats a percentage: `33.3%` or `33,3 %` for 33.3. */
export function percentInWords(percent: number, language: Language): string {
  return numberFormat(language, { style: 'percent', maximumFractionDigits: 6 }).format(percent / 100);
}

/** Formats the size of a file: `1.2 MB`. */
export function sizeInWords(bytes: number, language: Language): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return numberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}

/** Returns the name of a country: `Germany` or `Deutschland` for `DE`. An unknown code stays as it is. */
export function countryName(language: Language, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return displayNames(language, { type: 'region', fallback: 'none' }).of(code) ?? code;
}

/** Returns the name of a country with its code: `Germany (DE)`. An unknown code stays as it is. */
export function countryInWords(code: string, language: Language): string {
  const name = countryName(language, code);
  return name === code ? code : `${name} (${code})`;
}

/** Returns the name of a language by its BCP 47 tag. An unknown tag stays as it is. */
export function languageInWords(tag: string, language: Language): string {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag)) return tag;
  return displayNames(language, { type: 'language', fallback: 'none' }).of(tag) ?? tag;
}

/** Compares texts in the order of the reader's language. */
export function compareIn(language: Language): (text: string, other: string) => number {
  return collator(language, {}).compare;
}
