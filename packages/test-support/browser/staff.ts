import type { BrowserContext } from 'playwright-core';
import { newSession } from '../pages/new-session.ts';
import { newVisitor, type Outfit, type Visitor } from './browser.ts';
import type { CountersignSite, Invited } from './countersign-site.ts';

/** A user who has set a password. */
export interface Staff extends Invited {
  readonly password: string;
  /** The cookies of the session. */
  readonly cookies: Parameters<BrowserContext['addCookies']>[0];
}

export const PASSWORD = 'seven lamps over the harbour';

/** Creates a user with a password and a session, which were not made by a page. */
export async function givenStaff(
  site: Pick<CountersignSite, 'origin' | 'invite' | 'server'>,
  role: 'reviewer' | 'operator' | 'client' = 'reviewer',
): Promise<Staff> {
  const invited = await site.invite(role);
  const cookie = await newSession(site.server, invited.id, PASSWORD);
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  return { ...invited, password: PASSWORD, cookies: [{ name, value, url: site.origin }] };
}

/** Opens a browser with the user's session. */
export async function newStaffVisitor(
  site: Pick<CountersignSite, 'origin'>,
  { cookies }: Staff,
  outfit: Outfit = {},
): Promise<Visitor> {
  const visitor = await newVisitor(site.origin, { screen: 'desktop', ...outfit });
  await visitor.context.addCookies(cookies);
  return visitor;
}

/** Returns the session's `Cookie` header, for requests without a browser. */
export function cookieOf({ cookies }: Staff): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
