import type { Handler } from 'hono';
import { setCookie } from 'hono/cookie';
import { readForm } from '../forms/form-body.ts';
import { isOwnPath } from './base-path.ts';
import { knownLanguage, LANGUAGE_COOKIE } from './language.ts';
import { PageError } from './page-error.ts';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Switches the language of all pages, and goes back to where the person was. */
export function languageRoute({ basePath, secure }: Site): Handler<WebEnv> {
  return async (context) => {
    const form = await readForm(context);
    const language = knownLanguage(form.text('language'));
    if (language === null) throw new PageError(400);
    setCookie(context, LANGUAGE_COOKIE, language, {
      path: `${basePath}/`,
      maxAge: A_YEAR_SECONDS,
      httpOnly: true,
      sameSite: 'Lax',
      secure,
    });
    const returnTo = form.text('returnTo');
    return context.redirect(context.get('page').href(isOwnPath(returnTo) ? returnTo : '/'), 303);
  };
}
