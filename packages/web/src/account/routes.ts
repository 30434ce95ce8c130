import type { Accounts } from '@countersign/domain';
import { type Handler, Hono } from 'hono';
import type { WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { homeOf } from '../staff/area.tsx';
import { type AccountSite, accountActions, leave, SIGN_IN_PATH, sessionOf, visitorOf } from './account-site.ts';
import { confirmIdentity, confirmPage } from './confirm.tsx';
import { enterSecondFactor, secondFactorPage } from './second-factor.tsx';
import { confirmSecondFactor } from './second-factor-setup.tsx';
import { beginSecondFactor, removeSecondFactor, securityPage, toSecurity } from './security.tsx';
import { signIn, signInPage } from './sign-in.tsx';
import { acceptInvitation, welcomePage } from './welcome.tsx';

/** Routes for signing in and out, joining, the second factor, and confirming the password. */
export function accountRoutes(shared: Site, accounts: Accounts): Hono<WebEnv> {
  const site: AccountSite = { ...shared, accounts };
  const routes = new Hono<WebEnv>();
  routes.get('/', toHome(site));
  routes.get('/sign-in', signInPage());
  routes.post('/sign-in', signIn(site));
  routes.get('/second-factor', secondFactorPage());
  routes.post('/second-factor', enterSecondFactor(site));
  routes.get('/welcome/:token', welcomePage(site));
  routes.post('/welcome/:token', acceptInvitation(site));
  routes.get('/confirm', confirmPage(site));
  routes.post('/confirm', confirmIdentity(site));
  routes.get('/security', securityPage(site));
  routes.post('/security/begin', beginSecondFactor(site));
  routes.post('/security/confirm', confirmSecondFactor(site));
  routes.post('/security/remove', removeSecondFactor(site));
  routes.post('/sign-out', signOut(site));
  // A form that came back with errors has its own address: switching the language there sends a GET.
  for (const form of ['begin', 'confirm', 'remove']) routes.get(`/security/${form}`, toSecurity);
  return routes;
}

/** Redirects to the area where the signed-in user works. */
function toHome(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const session = await sessionOf(context, site);
    const path = session === null ? SIGN_IN_PATH : homeOf(session.user);
    return context.redirect(context.get('page').href(path), 303);
  };
}

function signOut(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const { account } = await accountActions(context, site);
    return leave(context, SIGN_IN_PATH, await account.signOut(visitorOf(context, site)));
  };
}
