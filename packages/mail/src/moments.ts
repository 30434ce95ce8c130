import type { Language } from '@countersign/domain';

/** Kept, because making one takes as long as writing the rest of a mail. */
const FORMATS: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: momentFormat('en-GB'),
  de: momentFormat('de'),
};

function momentFormat(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}

/** Writes date and time, in UTC. */
export function momentInWords(moment: Date, language: Language): string {
  return FORMATS[language].format(moment);
}
