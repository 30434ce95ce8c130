import type { Handler } from 'hono';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/web-env.ts';
import {
  type AccountSite,
  leave,
  SECURITY_PATH,
  SIGN_IN_PATH,
  sessionOf,
  visitorOf,
  withReturn,
} from './account-site.ts';
import { CLIENT_HOME, homeOf } from './home-of.ts';
import { SignOutForm } from './sign-out-form.tsx';

/** Leads on to where whoever is signed in works. */
export function toHome(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const session = await sessionOf(context, site);
    const path = session === null ? SIGN_IN_PATH : homeOf(session.member);
    return context.redirect(context.get('page').href(path), 303);
  };
}

/** What a client's staff sees until there is a dashboard. */
export function clientHome(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const session = await sessionOf(context, site);
    if (session === null) return context.redirect(href(withReturn(SIGN_IN_PATH, CLIENT_HOME)), 303);
    const { name, email } = session.member;
    return answerPage(
      context,
      { title: t('account:home.title') },
      <>
        <h1>{t('account:home.title')}</h1>
        <p>{t('account:security.signedInAs', { name, email })}</p>
        <p>{t('account:home.text')}</p>
        <p>
          <a href={href(SECURITY_PATH)}>{t('account:signOut.security')}</a>
        </p>
        <SignOutForm page={page} path={site.accounts.signOutPath} />
      </>,
    );
  };
}

export function signOut(site: AccountSite): Handler<WebEnv> {
  return async (context) => leave(context, SIGN_IN_PATH, await site.accounts.signOut(visitorOf(context, site)));
}
