import { type HandOverReference, isCountersignError, type Verification } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { Notice } from '../parts/blocks.tsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { untilInWords } from '../site/days.ts';
import { requireAllowed } from '../site/errors.ts';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { verifyPath } from './navigation.ts';
import { beginSession, pageFor } from './session.ts';
import { previewOf } from './state-page.tsx';

/** Path of the address that a hand-over code opens. */
export const HAND_OVER_PATH = '/:id/continue/:code';

type HandOverContext = Context<WebEnv, typeof HAND_OVER_PATH>;

/** Asks whether to continue on this device. Needs no session, and changes nothing: messengers and mail scanners open addresses too. */
export function showHandOverPage(site: Site): Handler<WebEnv, typeof HAND_OVER_PATH> {
  return async (context) => {
    const opened = await countedOpening(context, site);
    context.set('page', pageFor(context, site, opened.verification));
    return answerQuestion(context, site, opened);
  };
}

/** Uses the code up, begins a session, and redirects to an address without the code, as the link does. */
export function takeHandOverPage(site: Site): Handler<WebEnv, typeof HAND_OVER_PATH> {
  return async (context) => {
    // Counted before the code is used up. A code that has ended is refused below, where the refusal is recorded.
    await countedOpening(context, site).catch((error: unknown) => {
      if (!isCountersignError(error, 'HAND_OVER_ENDED')) throw error;
    });
    const { access } = await site.options.countersign.subject.spendHandOver(referenceIn(context));
    beginSession(context, site, access);
    return context.redirect(context.get('page').href(verifyPath({ id: access.verificationId })), 303);
  };
}

/**
 * Opens a code and counts the request: a right code by verification, so that others at the same address cannot block it, and a wrong
 * or expired one by address.
 * @throws PageError 429, CountersignError `HAND_OVER_ENDED`
 */
async function countedOpening(
  context: HandOverContext,
  { options }: Site,
): Promise<{ readonly verification: Verification; readonly expiresAt: Date }> {
  const { countersign, clock, clientAddress } = options;
  const { rateLimits, subject } = countersign;
  const reference = referenceIn(context);
  const opening = subject.openHandOver(reference);
  const isUnknown = await opening.then(
    () => false,
    (error: unknown) => isCountersignError(error, 'HAND_OVER_ENDED') && error.data?.end === 'expired',
  );
  const decision = isUnknown
    ? rateLimits.forInvalidLink(clientAddress(context))
    : rateLimits.forSubject(reference.verificationId);
  requireAllowed(await decision, clock.now());
  return opening;
}

function referenceIn({ req }: HandOverContext): HandOverReference {
  return { verificationId: req.param('id'), code: req.param('code') };
}

async function answerQuestion(
  context: HandOverContext,
  site: Site,
  { verification, expiresAt }: { readonly verification: Verification; readonly expiresAt: Date },
): Promise<Response> {
  const page = context.get('page');
  const { t, href, path } = page;
  const client = await clientName(page);
  const preview = previewOf(verification, client, t);
  return answerPage(
    context,
    { title: t('verify:handOver.title'), preview },
    <>
      <h1>{t('verify:handOver.title')}</h1>
      <p class="lead">{preview.title}</p>
      <p>{t('verify:handOver.text')}</p>
      <Notice tone="warn">{t('verify:handOver.own')}</Notice>
      <form method="post" action={href(path)}>
        <div class="next">
          <button type="submit">{t('verify:handOver.submit')}</button>
        </div>
      </form>
      <p class="quiet">
        {t('verify:handOver.once', { until: untilInWords(page, expiresAt, site.options.clock.now()) })}
      </p>
      <EncryptedLine page={page} client={client} />
    </>,
  );
}
