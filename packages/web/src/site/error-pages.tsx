import { isCountersignError } from '@countersign/domain';
import type { Context, ErrorHandler, Handler } from 'hono';
import { answerPage } from './layout.tsx';
import { type ErrorPageStatus, PageError } from './page-error.ts';
import { routeTemplate } from './route-template.ts';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

/** Answers every error that no area answered itself. */
export function errorPages({ options }: Site): ErrorHandler<WebEnv> {
  return (error, context) => {
    const page = pageErrorOf(error);
    if (page.status >= 500) {
      const { requestId } = context.get('page');
      options.onFault(error, { requestId, method: context.req.method, path: routeTemplate(context) });
    }
    return answerErrorPage(context, page);
  };
}

/** Answers every address that is none. */
export const notFoundPage: Handler<WebEnv> = (context) => answerErrorPage(context, new PageError(404));

const RETRY_AFTER_SECONDS = '5';

/** What an error is answered with. Anything unknown is a fault, of which nothing is told. */
function pageErrorOf(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (isCountersignError(error, 'VERIFICATION_NOT_FOUND') || isCountersignError(error, 'FILE_NOT_FOUND')) {
    return new PageError(404);
  }
  if (isCountersignError(error, 'SERVICE_UNAVAILABLE')) {
    return new PageError(503, { 'Retry-After': RETRY_AFTER_SECONDS });
  }
  return new PageError(500);
}

function answerErrorPage(context: Context<WebEnv>, error: PageError): Response | Promise<Response> {
  const { t, requestId } = context.get('page');
  const { status, headers } = error;
  const title = t(`site:errors.${status}.title`);
  const wait = headers['Retry-After'];
  return answerPage(
    context,
    { title, status, headers },
    <>
      <h1>{title}</h1>
      <p>{t(`site:errors.${status}.text`)}</p>
      {status === 429 && wait !== undefined ? <p>{t('site:errors.wait', { count: Number(wait) })}</p> : null}
      {isFault(status) ? (
        <p class="quiet">
          {t('site:errors.requestId')} <code>{requestId}</code>
        </p>
      ) : null}
    </>,
  );
}

function isFault(status: ErrorPageStatus): boolean {
  return status >= 500;
}
