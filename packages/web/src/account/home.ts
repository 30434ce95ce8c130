import type { Handler } from 'hono';
import type { WebEnv } from '../site/web-env.ts';
import { type AccountSite, accountDesk, leave, SIGN_IN_PATH, sessionOf, visitorOf } from './account-site.ts';
import { homeOf } from './home-of.ts';

/** Leads on to where whoever is signed in works. */
export function toHome(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const session = await sessionOf(context, site);
    const path = session === null ? SIGN_IN_PATH : homeOf(session.user);
    return context.redirect(context.get('page').href(path), 303);
  };
}

export function signOut(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const { account } = await accountDesk(context, site);
    return leave(context, SIGN_IN_PATH, await account.signOut(visitorOf(context, site)));
  };
}
