import type { StaffMember } from '@countersign/domain';
import type { Context, MiddlewareHandler } from 'hono';
import { SignOutForm } from '../account/sign-out-form.tsx';
import { answerPage } from '../site/layout.tsx';
import type { Site } from '../site/site.ts';
import type { ReviewEnv } from './review-env.ts';

/**
 * Lets reviewers and operators pass. Nobody is sent to sign in and comes back afterwards; others are told that the
 * console is not for them; where a second factor is needed, whoever signed in without one is sent to set it up.
 */
export function reviewersOnly(site: Site): MiddlewareHandler<ReviewEnv> {
  const { signIn, accounts, requireSecondFactor = false } = site.options;
  return async (context, next) => {
    const { t, href } = context.get('page');
    const session = await signIn.identify(context.req.header('Cookie'));
    if (session === null) {
      return context.redirect(
        `${href(signIn.signInPath)}?returnTo=${encodeURIComponent(wantedPath(context))}`,
        303,
      );
    }
    const { member, withSecondFactor } = session;
    if (!mayReview(member)) {
      const title = t('review:gate.forbiddenTitle');
      return answerPage(
        context,
        { title, status: 403 },
        <>
          <h1>{title}</h1>
          <p>{t('review:gate.forbiddenText', { name: member.name })}</p>
          <SignOutForm page={context.get('page')} path={signIn.signOutPath} />
        </>,
      );
    }
    if (requireSecondFactor && !withSecondFactor) {
      if (accounts !== undefined) return context.redirect(href('/account/security?needed=1'), 303);
      const title = t('review:gate.secondFactorTitle');
      return answerPage(
        context,
        { title, status: 403 },
        <>
          <h1>{title}</h1>
          <p>{t('review:gate.secondFactorText')}</p>
          <SignOutForm page={context.get('page')} path={signIn.signOutPath} />
        </>,
      );
    }
    context.set('reviewer', member);
    await next();
    return;
  };
}

function mayReview({ role }: StaffMember): boolean {
  return role === 'reviewer' || role === 'operator';
}

/** Where to come back to: the page asked for; after a form that came too late, the case it was about. */
function wantedPath({ req, get }: Context<ReviewEnv>): string {
  const { path } = get('page');
  if (req.method === 'GET') return path + new URL(req.url).search;
  return path.split('/').slice(0, 3).join('/');
}
