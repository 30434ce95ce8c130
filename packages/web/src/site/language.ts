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
  const chosen = knownLanguage(getCookie(context, LANGUAGE_COOKIE));
  if (chosen !== null) return chosen;
  for (const { type, q } of parseAccept(context.req.header('Accept-Language') ?? '')) {
    const language = q > 0 ? knownLanguage(type) : null;
    if (language !== null) return language;
  }
  return DEFAULT;
}

/** Returns the language of a tag, `de` for `de-AT`, or null if it is not supported. */
export function knownLanguage(tag: string | undefined): Language | null {
  const primary = tag?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
