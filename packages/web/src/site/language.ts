import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';

/** Languages the pages are written in. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Name of the cookie that holds the language a person chose. */
export const LANGUAGE_COOKIE = 'language';

const DEFAULT: Language = 'en';

/** Returns the language a person chose, or else the first of the browser's that is known, or else English. */
export function languageOf(context: Context): Language {
  const chosen = knownLanguage(getCookie(context, LANGUAGE_COOKIE));
  if (chosen !== null) return chosen;
  for (const { type, q } of parseAccept(context.req.header('Accept-Language') ?? '')) {
    const language = q > 0 ? knownLanguage(type) : null;
    if (language !== null) return language;
  }
  return DEFAULT;
}

/** Returns the language of a tag, `de` for `de-AT`, or null for one the pages are not written in. */
export function knownLanguage(tag: string | undefined): Language | null {
  const primary = tag?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
