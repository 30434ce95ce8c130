import { faultBehind, isCountersignError } from '@countersign/domain';
import type { Context, ErrorHandler, Handler } from 'hono';
import { PageError } from '../site/errors.ts';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/page.ts';
import { loggedRequest } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { DeadEnd } from './blocks.tsx';

/** Answers every error that no area answers itself. */
export function errorPages({ options }: Site): ErrorHandler<WebEnv> {
  return (error, context) => {
    const page = pageErrorOf(error);
    const fault = isFault(page) ? error : faultBehind(page.cause ?? error);
    if (fault !== undefined) {
      const { requestId } = context.get('page');
      options.onFault(fault, { requestId, ...loggedRequest(context) });
    }
    return answerErrorPage(context, page);
  };
}

/** Answers unknown addresses with 404. */
export const notFoundPage: Handler<WebEnv> = (context) => answerErrorPage(context, new PageError(404));

const RETRY_AFTER_SECONDS = '5';

/** Returns the error page for an error. An unexpected error is a fault: its page reveals nothing. */
function pageErrorOf(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (isCountersignError(error, 'VERIFICATION_NOT_FOUND') || isCountersignError(error, 'FILE_NOT_FOUND')) {
    return new PageError(404);
  }
  if (isCountersignError(error, 'TOO_MANY_DOWNLOADS')) {
    return new PageError(429, { 'Retry-After': RETRY_AFTER_SECONDS }, 'downloads');
  }
  if (isCountersignError(error, 'SERVICE_UNAVAILABLE')) {
    return new PageError(503, { 'Retry-After': RETRY_AFTER_SECONDS });
  }
  return new PageError(500);
}

async function answerErrorPage(context: Context<WebEnv>, error: PageError): Promise<Response> {
  const page = context.get('page');
  const { t, href, requestId, area } = page;
  const { status, headers, texts } = error;
  const title = t(`site:errors.${texts}.title`);
  const wait = headers['Retry-After'];
  // Drawing the menu may need what has failed.
  const frame = isFault(error) ? undefined : await area?.frame(title);
  return answerPage(
    context,
    { title, status, headers, frame },
    <DeadEnd page={page} title={title} text={t(`site:errors.${texts}.text`)}>
      {status === 429 && wait !== undefined ? <p>{t('site:errors.wait', { count: Number(wait) })}</p> : null}
      {isFault(error) ? (
        <p class="quiet">
          {t('site:errors.requestId')} <code>{requestId}</code>
        </p>
      ) : null}
      <a href={href(area?.path ?? '/')} class="button secondary">
        {t('site:errors.home')}
      </a>
    </DeadEnd>,
  );
}

function isFault({ status }: PageError): boolean {
  return status >= 500;
}
