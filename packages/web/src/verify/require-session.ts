import type { MiddlewareHandler } from 'hono';
import { requireAllowed } from '../site/page-error.ts';
import type { Site } from '../site/site.ts';
import { readSession } from './session.ts';
import { SessionNeeded } from './session-needed.ts';
import type { VerifyEnv } from './verify-env.ts';

/**
 * Lets only the browser through that opened the link of this verification. Requests with a session are counted by
 * verification, those without by address.
 * @throws SessionNeeded, PageError 429, CountersignError `LINK_INVALID`, `LINK_EXPIRED`
 */
export function requireSession(site: Site): MiddlewareHandler<VerifyEnv, '/:id'> {
  const { countersign, clock, clientAddress } = site.options;
  const { rateLimits, subject } = countersign;
  return async (context, next) => {
    const id = context.req.param('id');
    const access = readSession(context, site, id);
    const decision =
      access === null
        ? rateLimits.forAddress(clientAddress(context))
        : rateLimits.forSubject(access.verificationId);
    requireAllowed(await decision, clock.now());
    if (access === null) throw new SessionNeeded();
    context.set('access', access);
    context.set('verification', await subject.read(access));
    await next();
  };
}
