import type { Accounts } from '@countersign/domain';
import { Hono } from 'hono';
import type { Site } from '../site/site.ts';
import type { WebEnv } from '../site/web-env.ts';
import type { AccountSite } from './account-site.ts';
import { confirmIdentity, confirmPage } from './confirm.tsx';
import { signOut, toHome } from './home.ts';
import { enterSecondFactor, secondFactorPage } from './second-factor.tsx';
import { confirmSecondFactor } from './second-factor-setup.tsx';
import { beginSecondFactor, removeSecondFactor, securityPage, toSecurity } from './security.tsx';
import { signIn, signInPage } from './sign-in.tsx';
import { acceptInvitation, welcomePage } from './welcome.tsx';

/** Signing in, out, for the first time, with a second factor, and once more before something that matters. */
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
  // Forms that came back with errors have these addresses: whoever switches the language there asks for them again.
  for (const form of ['begin', 'confirm', 'remove']) routes.get(`/security/${form}`, toSecurity);
  return routes;
}
