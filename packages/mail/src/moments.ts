import type { Language } from '@countersign/domain';

/** Kept, because making one takes as long as writing the rest of a mail. */
const FORMATS: Readonly<Record<Language, Formats>> = {
  en: formatsOf('en-GB'),
  de: formatsOf('de'),
};

type Formats = Readonly<
  Record<'moment' | 'day', Intl.DateTimeFormat> & Record<'hours' | 'minutes', Intl.NumberFormat>
>;

function formatsOf(locale: string): Formats {
  const day = { dateStyle: 'long', timeZone: 'UTC' } as const;
  return {
    moment: new Intl.DateTimeFormat(locale, { ...day, timeStyle: 'short' }),
    day: new Intl.DateTimeFormat(locale, day),
    hours: new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long' }),
    minutes: new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
  };
}

/** Writes date and time, in UTC. */
export function momentInWords(moment: Date, language: Language): string {
  return FORMATS[language].moment.format(moment);
}

/** Writes a calendar day `YYYY-MM-DD`. */
export function dayInWords(day: string, language: Language): string {
  return FORMATS[language].day.format(new Date(`${day}T00:00:00Z`));
}

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Writes a duration in whole hours or, below one, in minutes. */
export function spanInWords(milliseconds: number, language: Language): string {
  const { hours, minutes } = FORMATS[language];
  return milliseconds >= HOUR_MS
    ? hours.format(Math.floor(milliseconds / HOUR_MS))
    : minutes.format(Math.max(1, Math.floor(milliseconds / MINUTE_MS)));
}
