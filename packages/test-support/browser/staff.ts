import type { BrowserContext } from 'playwright-core';
import { newVisitor, type Outfit, type Visitor } from './browser.ts';
import type { CountersignSite, Invited } from './countersign-site.ts';

/** A user who has set a password. */
export interface Staff extends Invited {
  readonly password: string;
  /** The cookies of the session. */
  readonly cookies: Parameters<BrowserContext['addCookies']>[0];
}

export const PASSWORD = 'seven lamps over the harbour';

/** Invites a user and sets the password over a plain form, which is faster than in a browser. */
export async function givenStaff(
  site: Pick<CountersignSite, 'origin' | 'invite'>,
  role: 'reviewer' | 'operator' | 'client' = 'reviewer',
): Promise<Staff> {
  const invited = await site.invite(role);
  const answer = await fetch(invited.signInUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: site.origin },
    body: new URLSearchParams({ password: PASSWORD, repeat: PASSWORD }),
  });
  if (answer.status !== 303) throw new Error(`the link was answered with ${answer.status}`);
  const cookies = answer.headers.getSetCookie().map((cookie) => {
    const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split(/=(.*)/s);
    return { name, value, url: site.origin };
  });
  return { ...invited, password: PASSWORD, cookies };
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
