import type { Handler } from 'hono';
import { requireAllowed } from '../site/page-error.ts';
import type { Site } from '../site/site.ts';
import type { WebEnv } from '../site/web-env.ts';
import { verifyPath } from './navigation.ts';
import { beginSession } from './session.ts';

/**
 * Opens the link that a subject was sent, and goes on to an address without its token. It changes nothing: mail
 * scanners open links too.
 */
export function openLink(site: Site): Handler<WebEnv, '/:reference'> {
  const { countersign, clock, clientAddress } = site.options;
  return async (context) => {
    requireAllowed(await countersign.rateLimits.forAddress(clientAddress(context)), clock.now());
    const { access } = await countersign.subject.open(context.req.param('reference'));
    beginSession(context, site, access);
    return context.redirect(context.get('page').href(verifyPath({ id: access.verificationId })), 303);
  };
}
