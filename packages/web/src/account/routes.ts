import type { Accounts } from '@countersign/domain/staff';
import { type Handler, Hono } from 'hono';
import type { WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { homeOf, redirectTo, type StaffAreas } from '../staff/area.tsx';
import { visitorOf } from '../staff/gate.ts';
import {
  type AccountForm,
  type AccountSite,
  leave,
  PASSKEYS_PATH,
  PROVIDERS_PATH,
  SECURITY_PATH,
  SIGN_IN_PATH,
  sendForm,
  showForm,
  visitorOn,
} from './account-form.tsx';
import { forgotPassword, lostDevice, welcome } from './link-forms.tsx';
import { passkeyRemoval, passkeys, secondFactorPasskey, signInPasskey } from './passkey-forms.tsx';
import { providers } from './provider-forms.tsx';
import { removal, security, setup } from './security-forms.tsx';
import { confirm, secondFactor, signIn } from './sign-in-forms.tsx';
import { beginSignOn, finishSignOn } from './sign-on.tsx';

/**
 * Routes for signing in and out, joining, the second factor, and confirming the password.
 * @param areas the areas of users: their security settings stand beside the menu of their own
 */
export function accountRoutes(shared: Site, accounts: Accounts, areas: StaffAreas): Hono<WebEnv> {
  const site: AccountSite = { ...shared, accounts, areas };
  const routes = new Hono<WebEnv>();
  const mount = <S>(path: string, form: AccountForm<S>): void => {
    routes.get(path, showForm(site, form));
    routes.post(path, sendForm(site, form));
  };
  routes.get('/', toHome(site));
  mount('/sign-in', signIn);
  mount('/passkey', signInPasskey);
  mount('/second-factor', secondFactor);
  mount('/second-factor/passkey', secondFactorPasskey);
  mount('/forgot-password', forgotPassword);
  mount('/welcome/:token', welcome);
  mount('/lost-device/:token', lostDevice);
  mount('/confirm', confirm);
  routes.get('/sso/:provider', beginSignOn(site));
  routes.get('/sso/:provider/callback', finishSignOn(site));
  routes.get('/security', showForm(site, security));
  routes.post('/security/begin', sendForm(site, security));
  routes.post('/security/confirm', sendForm(site, setup));
  routes.post('/security/remove', sendForm(site, removal));
  mount('/security/passkeys', passkeys);
  routes.post('/security/passkeys/remove', sendForm(site, passkeyRemoval));
  routes.get('/security/passkeys/remove', (context) => redirectTo(context, PASSKEYS_PATH));
  routes.get('/security/providers', showForm(site, providers));
  routes.post('/security/providers/disconnect', sendForm(site, providers));
  routes.get('/security/providers/disconnect', (context) => redirectTo(context, PROVIDERS_PATH));
  routes.post('/sign-out', signOut(site));
  // A form that came back with errors has its own address: switching the language there sends a GET.
  for (const form of ['begin', 'confirm', 'remove']) {
    routes.get(`/security/${form}`, (context) => redirectTo(context, SECURITY_PATH));
  }
  return routes;
}

/** Redirects to the area where the signed-in user works. */
function toHome(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const { session } = await visitorOf(context, site);
    return redirectTo(context, session === null ? SIGN_IN_PATH : homeOf(session.user));
  };
}

function signOut(site: AccountSite): Handler<WebEnv> {
  return async (context) => {
    const { as } = await visitorOf(context, site);
    return leave(context, SIGN_IN_PATH, await as.account(site.accounts).signOut(visitorOn(context, site)));
  };
}
