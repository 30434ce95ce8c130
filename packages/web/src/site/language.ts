import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';

/** Languages of the pages. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Name of the cookie with the chosen language. */
export const LANGUAGE_COOKIE = 'language';

const DEFAULT: Language = 'en';

/** Returns the chosen language, otherwise the first supported one of the browser, otherwise English. */
export function languageOf(context: Context): Language {
  const chosen = chosenLanguage(context);
  if (chosen !== null) return chosen;
  for (const { type, q } of parseAccept(context.req.header('Accept-Language') ?? '')) {
    const language = q > 0 ? knownLanguage(type) : null;
    if (language !== null) return language;
  }
  return DEFAULT;
}

/** Returns the language that the visitor chose on a page, or null. */
export function chosenLanguage(context: Context): Language | null {
  return knownLanguage(getCookie(context, LANGUAGE_COOKIE));
}

/** Returns the language of a tag, `de` for `de-AT` and `de_AT`, or null if it is not supported. */
export function knownLanguage(tag: string | undefined): Language | null {
  const primary = tag?.split(/[-_]/)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
