import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';
import { LANGUAGES, type Language } from './messages.ts';

/** Remembers what a person switched to. */
export const LANGUAGE_COOKIE = 'language';

const DEFAULT: Language = 'en';

/** The language a person chose, else the first of their browser's that there is, else English. */
export function languageOf(context: Context): Language {
  const chosen = knownLanguage(getCookie(context, LANGUAGE_COOKIE));
  if (chosen !== null) return chosen;
  for (const { type, q } of parseAccept(context.req.header('Accept-Language') ?? '')) {
    const language = q > 0 ? knownLanguage(type) : null;
    if (language !== null) return language;
  }
  return DEFAULT;
}

/** `de` for `de-AT`. */
export function knownLanguage(tag: string | undefined): Language | null {
  const primary = tag?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}
