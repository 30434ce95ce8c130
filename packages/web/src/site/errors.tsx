import { faultBehind, isCountersignError, type RateLimitDecision } from '@countersign/domain';
import type { Context, ErrorHandler, Handler } from 'hono';
import { answerPage } from './layout.tsx';
import type { WebEnv } from './page.ts';
import { loggedRequest } from './paths.ts';
import type { Site } from './site.ts';

/** Statuses that have an error page. */
export type ErrorPageStatus = 400 | 403 | 404 | 413 | 415 | 429 | 500 | 503;

/** Ends a request with the error page of a status. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: ErrorPageStatus;
  readonly headers: Readonly<Record<string, string>>;
  /** Which texts the page has: of its status, or of a cause of it. */
  readonly texts: ErrorPageStatus | 'downloads';

  constructor(
    status: ErrorPageStatus,
    headers: Readonly<Record<string, string>> = {},
    texts: PageError['texts'] = status,
    options: ErrorOptions = {},
  ) {
    super(`Error page ${texts}`, options);
    this.status = status;
    this.headers = headers;
    this.texts = texts;
  }
}

/** @throws PageError 429 with `Retry-After` if the limit is reached */
export function requireAllowed(decision: RateLimitDecision, now: Date): void {
  if (decision.allowed) return;
  const seconds = Math.max(1, Math.ceil((decision.resetAt.getTime() - now.getTime()) / 1000));
  throw new PageError(429, { 'Retry-After': String(seconds) });
}

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

function answerErrorPage(context: Context<WebEnv>, error: PageError): Response | Promise<Response> {
  const { t, requestId } = context.get('page');
  const { status, headers, texts } = error;
  const title = t(`site:errors.${texts}.title`);
  const wait = headers['Retry-After'];
  return answerPage(
    context,
    { title, status, headers },
    <>
      <h1>{title}</h1>
      <p>{t(`site:errors.${texts}.text`)}</p>
      {status === 429 && wait !== undefined ? <p>{t('site:errors.wait', { count: Number(wait) })}</p> : null}
      {isFault(error) ? (
        <p class="quiet">
          {t('site:errors.requestId')} <code>{requestId}</code>
        </p>
      ) : null}
    </>,
  );
}

function isFault({ status }: PageError): boolean {
  return status >= 500;
}
