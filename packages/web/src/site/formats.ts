import { parseDuration } from '@countersign/domain/retention';
import type { Language } from './language.ts';

export const KIBIBYTE = 1024;
const MEBIBYTE = KIBIBYTE * KIBIBYTE;

/**
 * Keeps the formatter of each language, made at the first use: making one takes about 70 times as long as using it. There
 * are as many as there are languages, because every option is fixed.
 */
function perLanguage<F>(make: (language: Language) => F): (language: Language) => F {
  const formats = new Map<Language, F>();
  return (language) => {
    const known = formats.get(language);
    if (known !== undefined) return known;
    const made = make(language);
    formats.set(language, made);
    return made;
  };
}

const MOST_TEXTS = 1_000;

/**
 * Keeps the texts of values that pages show again and again: looking one up takes a tenth of formatting it. Nothing personal
 * is formatted so, because it would stay in memory.
 */
function kept<V>(format: (value: V, language: Language) => string): (value: V, language: Language) => string {
  const textsIn = perLanguage(() => new Map<V, string>());
  return (value, language) => {
    const texts = textsIn(language);
    const known = texts.get(value);
    if (known !== undefined) return known;
    if (texts.size >= MOST_TEXTS) texts.clear();
    const text = format(value, language);
    texts.set(value, text);
    return text;
  };
}

/** English with the day first, as most of the world writes it. */
const DATE_LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de' };

function inUtc(options: Intl.DateTimeFormatOptions): (language: Language) => Intl.DateTimeFormat {
  return perLanguage(
    (language) => new Intl.DateTimeFormat(DATE_LOCALES[language], { ...options, timeZone: 'UTC' }),
  );
}

const longDay = inUtc({ dateStyle: 'long' });
const shortDay = inUtc({ day: 'numeric', month: 'short' });
const longMonth = inUtc({ month: 'long', year: 'numeric' });
const minute = inUtc({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

function numbers(options: Intl.NumberFormatOptions): (language: Language) => Intl.NumberFormat {
  return perLanguage((language) => new Intl.NumberFormat(language, options));
}

const whole = numbers({});
const decimal = numbers({ maximumFractionDigits: 6 });
const percentage = numbers({ style: 'percent', maximumFractionDigits: 6 });
const size = (unit: string) => numbers({ style: 'unit', unit, maximumFractionDigits: 1 });
const wholeBytes = perLanguage(
  (language) => new Intl.NumberFormat(language, { style: 'unit', unit: 'byte', unitDisplay: 'long' }),
);
const kilobytes = size('kilobyte');
const megabytes = size('megabyte');
const duration = (unit: string, unitDisplay: 'long' | 'short' = 'long') =>
  numbers({ style: 'unit', unit, unitDisplay });
const years = duration('year');
const months = duration('month');
const days = duration('day');
const hours = duration('hour');
const minutes = duration('minute');
const shortHours = duration('hour', 'short');
const shortMinutes = duration('minute', 'short');
const seconds = duration('second');

const lists = (type: 'conjunction' | 'disjunction') =>
  perLanguage((language) => new Intl.ListFormat(DATE_LOCALES[language], { type }));
const andLists = lists('conjunction');
const orLists = lists('disjunction');

const ages = (style: 'short' | 'long') =>
  perLanguage((language) => new Intl.RelativeTimeFormat(DATE_LOCALES[language], { style }));
const agoShort = ages('short');
const agoLong = ages('long');
const names = (type: 'region' | 'language') =>
  perLanguage((language) => new Intl.DisplayNames(language, { type, fallback: 'none' }));
const countryNames = names('region');
const shortCountryNames = perLanguage(
  (language) => new Intl.DisplayNames(language, { type: 'region', style: 'short', fallback: 'none' }),
);
const languageNames = names('language');
const collator = perLanguage((language) => new Intl.Collator(language));

/** Formats a calendar day `YYYY-MM-DD`: `3 November 2026`. Any other text stays as it is. */
export function dayInWords(day: string, language: Language): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : longDay(language).format(date);
}

/** Formats the day of a chart, `YYYY-MM-DD`: `3 November 2026`. */
export const chartDayInWords: (day: string, language: Language) => string = kept(dayInWords);

/** Formats a calendar day `YYYY-MM-DD` short: `3 Nov`. */
export function shortDayInWords(day: string, language: Language): string {
  return shortDay(language).format(new Date(`${day}T00:00:00Z`));
}

/** Formats a month `YYYY-MM`: `November 2026`. */
export function monthInWords(month: string, language: Language): string {
  return longMonth(language).format(new Date(`${month}-01T00:00:00Z`));
}

/** Formats a time to the minute, in UTC: reviewers may work in several time zones. */
export function momentInWords(moment: Date, language: Language): string {
  return minute(language).format(moment);
}

const MONTHS_IN_YEAR = 12;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration in its one or two largest units, at least a minute: `3 days, 4 hours`. */
export function durationInWords(milliseconds: number, language: Language): string {
  return largestUnits(milliseconds, language, { hours, minutes }).join(', ');
}

/** Formats a duration short, in its one or two largest units: `41 min`, `1 hr 30 min`. */
export function shortDurationInWords(milliseconds: number, language: Language): string {
  return largestUnits(milliseconds, language, { hours: shortHours, minutes: shortMinutes }).join(' ');
}

type Formats = Readonly<Record<'hours' | 'minutes', typeof hours>>;

function largestUnits(milliseconds: number, language: Language, formats: Formats): readonly string[] {
  const wholeMinutes = Math.max(1, Math.floor(milliseconds / MINUTE));
  const wholeDays = Math.floor(milliseconds / DAY);
  const wholeHours = Math.floor((milliseconds % DAY) / HOUR);
  const parts =
    wholeDays > 0
      ? ([
          [wholeDays, days],
          [wholeHours, formats.hours],
        ] as const)
      : ([
          [wholeHours, formats.hours],
          [wholeMinutes % 60, formats.minutes],
        ] as const);
  return parts.filter(([count]) => count > 0).map(([count, format]) => format(language).format(count));
}

const UNITS = {
  day: [DAY, days],
  hour: [HOUR, hours],
  minute: [MINUTE, minutes],
  second: [SECOND, seconds],
} as const;

/** Formats a number of units: `24 hours`. */
export function countOfUnits(
  count: number,
  unit: 'day' | 'hour' | 'minute' | 'second',
  language: Language,
): string {
  const [, format] = UNITS[unit];
  return format(language).format(count);
}

/** Formats a span of whole seconds in the largest unit that it is a multiple of: `90 minutes`. */
export function spanInWords(milliseconds: number, language: Language): string {
  const [length, format] = Object.values(UNITS).find(([unit]) => milliseconds % unit === 0) ?? UNITS.second;
  return format(language).format(milliseconds / length);
}

/** Joins words as a sentence does: `a, b and c`. */
export function listInWords(
  words: readonly string[],
  language: Language,
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return (type === 'conjunction' ? andLists : orLists)(language).format(words);
}

const AGO_UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

/** Formats an age in its largest unit, at least a minute: `12 min ago`. */
export function agoInWords(milliseconds: number, language: Language): string {
  const [unit, length] = AGO_UNITS.find(([, ms]) => milliseconds >= ms) ?? (['minute', MINUTE] as const);
  const count = Math.max(1, Math.floor(milliseconds / length));
  // The short style of English abbreviates months and years too: `2 mo ago`.
  return (length < DAY ? agoShort : agoLong)(language).format(-count, unit);
}

/** Formats a period as ISO 8601 writes it, `P1Y6M`: `1 year, 6 months`. Any other text stays as it is. */
export function periodInWords(period: string, language: Language): string {
  const parsed = parseDuration(period);
  if (parsed === null) return period;
  const parts = [
    [Math.floor(parsed.months / MONTHS_IN_YEAR), years],
    [parsed.months % MONTHS_IN_YEAR, months],
    [parsed.days, days],
  ] as const;
  const shown = parts.filter(([count]) => count > 0);
  return (shown.length === 0 ? parts.slice(-1) : shown)
    .map(([count, format]) => format(language).format(count))
    .join(', ');
}

/** Formats a whole number: `10,000` or `10.000`. */
export const figure: (count: number, language: Language) => string = kept((count, language) =>
  whole(language).format(count),
);

/** Formats a number with up to six decimals. */
export function decimalInWords(value: number, language: Language): string {
  return decimal(language).format(value);
}

/** Formats a percentage: `33.3%` or `33,3 %` for 33.3. */
export function percentInWords(percent: number, language: Language): string {
  return percentage(language).format(percent / 100);
}

/** Formats the size of a file as operating systems show it, in steps of 1,024: `1.2 MB`, `340 kB`, `34 bytes`. */
export function sizeInWords(bytes: number, language: Language): string {
  // In kilobytes, a few bytes would be 0.
  if (bytes < KIBIBYTE) return wholeBytes(language).format(bytes);
  return bytes < MEBIBYTE
    ? kilobytes(language).format(bytes / KIBIBYTE)
    : megabytes(language).format(bytes / MEBIBYTE);
}

/** Returns the name of a country: `Germany` or `Deutschland` for `DE`. An unknown code stays as it is. */
export function countryName(language: Language, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return countryNames(language).of(code) ?? code;
}

/** Lists the names of a country in a language: `Hong Kong SAR China`, `Hong Kong`. None for an unknown code. */
export function countryNamesIn(language: Language, code: string): readonly string[] {
  return [countryNames(language).of(code), shortCountryNames(language).of(code)].filter(
    (name) => name !== undefined,
  );
}

/** Returns the name of a country with its code: `Germany (DE)`. An unknown code stays as it is. */
export function countryInWords(code: string, language: Language): string {
  const name = countryName(language, code);
  return name === code ? code : `${name} (${code})`;
}

/** Returns the country where a language is most likely spoken: `DE` for `de`. Null for an invalid or unknown tag. */
export function likelyRegion(tag: string): string | null {
  // A script tells where: `TW` for `zh-Hant`.
  const [known] = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(?![A-Za-z0-9])/.exec(tag) ?? [];
  return known === undefined ? null : (new Intl.Locale(known).maximize().region ?? null);
}

/** Returns the name of a language by its BCP 47 tag. An unknown tag stays as it is. */
export function languageInWords(tag: string, language: Language): string {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag)) return tag;
  return languageNames(language).of(tag) ?? tag;
}

/** Compares texts in the order of the reader's language. */
export function compareIn(language: Language): (text: string, other: string) => number {
  return collator(language).compare;
}
