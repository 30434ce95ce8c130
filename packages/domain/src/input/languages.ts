/** Languages of the pages and of the mails. */
export const LANGUAGES = ['en', 'de'] as const;
/** A language of the pages and of the mails. */
export type Language = (typeof LANGUAGES)[number];

/** The language of mails, and of pages for browsers, that ask for none of the others. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** Returns the language of a tag, `de` for `de-AT` and `de_AT`, or null if it is not supported. */
export function knownLanguage(tag: string | null | undefined): Language | null {
  const primary = tag?.split(/[-_]/)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
