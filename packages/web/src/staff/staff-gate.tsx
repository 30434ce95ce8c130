import { lacksSecondFactor, type StaffRole, type StaffSession } from '@countersign/domain';
import type { Context, MiddlewareHandler } from 'hono';
import { PageError } from '../site/errors.tsx';
import type { MessageKey } from '../site/messages.ts';
import { isSafe } from '../site/security.ts';
import type { Site } from '../site/site.ts';
import { answerForbidden } from './forbidden-page.tsx';
import { noteRefusal } from './note-refusal.ts';
import type { StaffEnv } from './staff-env.ts';
import { visitorOf } from './visitor.ts';

/** An area of pages for people who sign in. */
export interface StaffArea {
  readonly roles: readonly StaffRole[];
  /** What the page says that others get. The text is given their `name`. */
  readonly forbidden: { readonly title: MessageKey; readonly text: MessageKey };
  /** The page of a form by the path that it is posted to. Left out, the two are one. */
  readonly pageOfForm?: (path: string) => string;
}

/**
 * Lets in staff with one of the area's roles. Redirects anonymous visitors to sign-in and back, answers 403 to other
 * roles, and redirects sessions that lack a required second factor to its setup. Refusals are recorded in the audit
 * log, except for a page that only needs a sign-in or a second factor first.
 */
export function staffGate(site: Site, area: StaffArea): MiddlewareHandler<StaffEnv> {
  return async (context, next) => {
    const { session, as } = await visitorOf(context, site);
    const mayChange = !isSafe(context.req.method);
    if (session === null) {
      if (mayChange) await noteRefusal(context, as, 'no_session');
      return toSignIn(context, site, area);
    }
    if (!area.roles.includes(session.user.role)) {
      await noteRefusal(context, as, 'role');
      return answerForbidden(context, site, session.user, area.forbidden);
    }
    if (lacksSecondFactor(session, { required: site.options.requireSecondFactor ?? false })) {
      if (mayChange) await noteRefusal(context, as, 'second_factor_needed');
      return toSecondFactor(context, site, session);
    }
    context.set('session', session);
    context.set('user', session.user);
    context.set('as', as);
    await next();
    if (mayChange && isNotRead(context.error)) await noteRefusal(context, as, 'form_not_read');
    return;
  };
}

/** Whether a form was too large, or none: nothing that acts has seen it. */
function isNotRead(error: Error | undefined): boolean {
  return error instanceof PageError && (error.status === 413 || error.status === 415);
}

function toSignIn(context: Context<StaffEnv>, { options }: Site, { pageOfForm }: StaffArea): Response {
  const { path, href } = context.get('page');
  const { method, url } = context.req;
  const wanted = isSafe(method) ? path + new URL(url).search : (pageOfForm?.(path) ?? path);
  return context.redirect(`${href(options.signIn.signInPath)}?returnTo=${encodeURIComponent(wanted)}`, 303);
}

function toSecondFactor(
  context: Context<StaffEnv>,
  site: Site,
  { user }: StaffSession,
): Response | Promise<Response> {
  if (site.options.accounts !== undefined) {
    return context.redirect(context.get('page').href('/account/security?needed=1'), 303);
  }
  return answerForbidden(context, site, user, {
    title: 'staff:secondFactor.title',
    text: 'staff:secondFactor.text',
  });
}
