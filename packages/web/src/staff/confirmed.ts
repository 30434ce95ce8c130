import type { Context } from 'hono';
import { isSafe } from '../site/security.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from './staff-env.ts';

/** Redirects to the page where users confirm their password, and from there back. */
export function toConfirm(context: Context<StaffEnv>, { options: { signIn } }: Site): Response {
  const { path, href } = context.get('page');
  const { method, url } = context.req;
  const returnTo = isSafe(method) ? path + new URL(url).search : path;
  return context.redirect(`${href(signIn.confirmPath)}?returnTo=${encodeURIComponent(returnTo)}`, 303);
}
