import { isCountersignError } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { requireAllowed } from '../site/errors.ts';
import type { WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { answerPreview, asksForPreview } from './link-preview.tsx';
import { onlyAskedScreen, verifyPath } from './navigation.ts';
import { beginSession, pageFor } from './session.ts';

/**
 * Opens a subject's link and redirects to an address without its token: of the status, or of the one thing that a reviewer asks for. Messengers get a preview. Changes nothing: mail scanners open
 * links too.
 */
export function openLink(site: Site): Handler<WebEnv, '/:reference'> {
  const { subject } = site.options.countersign;
  return async (context) => {
    const reference = context.req.param('reference');
    const opening = subject.open(reference);
    await countOpening(context, site, reference, opening);
    const { access, verification } = await opening;
    beginSession(context, site, access);
    if (asksForPreview(context)) {
      context.set('page', pageFor(context, site, verification));
      return answerPreview(context, verification);
    }
    const asks = await subject.asksOf(verification);
    const slug = onlyAskedScreen({ verification, asks }) ?? undefined;
    return context.redirect(context.get('page').href(verifyPath({ id: access.verificationId }, slug)), 303);
  };
}

/**
 * Counts a request with a link after its token was checked: a valid link by verification, so that others at the same
 * address cannot block it, and an invalid one by address.
 * @throws PageError 429
 */
async function countOpening(
  context: Context,
  { options }: Site,
  reference: string,
  opening: Promise<unknown>,
): Promise<void> {
  const { countersign, clock, clientAddress } = options;
  const { rateLimits } = countersign;
  const error: unknown = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const decision = isCountersignError(error, 'LINK_INVALID')
    ? rateLimits.forInvalidLink(clientAddress(context))
    : rateLimits.forSubject(reference.slice(0, reference.indexOf('.')));
  requireAllowed(await decision, clock.now());
}
