import { DEFAULT_LANGUAGE, knownLanguage, type Language } from '@countersign/domain';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { parseAccept } from 'hono/utils/accept';

/** Languages of the pages, as of the mails. */
export { knownLanguage, LANGUAGES, type Language } from '@countersign/domain';

/** Name of the cookie with the chosen language. */
export const LANGUAGE_COOKIE = 'language';

/** Returns the chosen language, otherwise the first supported one of the browser, otherwise English. */
export function languageOf(context: Context): Language {
  const chosen = chosenLanguage(context);
  if (chosen !== null) return chosen;
  for (const { type, q } of parseAccept(context.req.header('Accept-Language') ?? '')) {
    const language = q > 0 ? knownLanguage(type) : null;
    if (language !== null) return language;
  }
  return DEFAULT_LANGUAGE;
}

/** Returns the language that the visitor chose on a page, or null. */
export function chosenLanguage(context: Context): Language | null {
  return knownLanguage(getCookie(context, LANGUAGE_COOKIE));
}
