import type { RateLimitDecision } from '@countersign/domain';

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
