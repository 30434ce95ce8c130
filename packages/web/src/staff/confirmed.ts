import { isConfirmed } from '@countersign/domain';
import type { Context, MiddlewareHandler } from 'hono';
import { isSafe } from '../site/same-origin.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from './staff-env.ts';

/**
 * Before a form whose act needs a confirmed identity is shown, asks for the confirmation: so that nobody fills in a form
 * and is asked then. Whether it is needed, and fresh, the desk decides.
 */
export function confirmFirst(site: Site): MiddlewareHandler<StaffEnv> {
  return async (context, next) => {
    if (isSafe(context.req.method) && !hasConfirmed(context, site)) return toConfirm(context, site);
    await next();
    return;
  };
}

export function hasConfirmed(context: Context<StaffEnv>, { options: { clock } }: Site): boolean {
  return isConfirmed(context.get('session'), clock.now());
}

/** Leads to where the identity is confirmed, and from there to the page that was asked for or that the form was on. */
export function toConfirm(context: Context<StaffEnv>, { options: { signIn } }: Site): Response {
  const { path, href } = context.get('page');
  const { method, url } = context.req;
  const returnTo = isSafe(method) ? path + new URL(url).search : path;
  return context.redirect(`${href(signIn.confirmPath)}?returnTo=${encodeURIComponent(returnTo)}`, 303);
}
