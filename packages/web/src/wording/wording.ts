import { dateLocale } from '../site/day-in-words.ts';
import type { Language } from '../site/messages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something lasts, in the one or two units that matter: `3 days, 4 hours`. At least a minute. */
export function durationInWords(milliseconds: number, language: Language): string {
  const minutes = Math.max(1, Math.floor(milliseconds / MINUTE));
  const days = Math.floor(milliseconds / DAY);
  const hours = Math.floor((milliseconds % DAY) / HOUR);
  const parts: [number, string][] =
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
    .map(([count, unit]) => inUnit(count, unit, language))
    .join(', ');
}

function inUnit(count: number, unit: string, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A moment to the minute, in UTC: reviewers of one case may sit in several time zones. */
export function momentInWords(moment: Date, language: Language): string {
  return new Intl.DateTimeFormat(dateLocale(language), {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(moment);
}

/** The name of a country with its code, `Germany (DE)`; a code that nobody knows as it is. */
export function countryInWords(code: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  const name = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(code);
  return name === undefined ? code : `${name} (${code})`;
}

/** The name of a language by its BCP 47 tag; a tag that nobody knows as it is. */
export function languageInWords(tag: string, language: Language): string {
  const name = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag)
    ? new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(tag)
    : undefined;
  return name ?? tag;
}

/** The size of a file: `1.2 MB`. */
export function sizeInWords(bytes: number, language: Language): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
