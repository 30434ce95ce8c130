import type { Language } from '@countersign/domain';

/** Kept, because making one takes as long as writing the rest of a mail. */
const FORMATS: Readonly<Record<Language, Record<'moment' | 'day', Intl.DateTimeFormat>>> = {
  en: formatsOf('en-GB'),
  de: formatsOf('de'),
};

function formatsOf(locale: string): Record<'moment' | 'day', Intl.DateTimeFormat> {
  const day = { dateStyle: 'long', timeZone: 'UTC' } as const;
  return {
    moment: new Intl.DateTimeFormat(locale, { ...day, timeStyle: 'short' }),
    day: new Intl.DateTimeFormat(locale, day),
  };
}

/** Writes date and time, in UTC. */
export function momentInWords(moment: Date, language: Language): string {
  return FORMATS[language].moment.format(moment);
}

/** Writes the date in UTC. */
export function dayInWords(moment: Date, language: Language): string {
  return FORMATS[language].day.format(moment);
}
