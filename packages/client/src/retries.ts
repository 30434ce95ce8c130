/** A server that asks for a longer wait is understood as a day. */
const RETRY_AFTER_MAX_SECONDS = 86_400;

const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** An HTTP date as RFC 9110 wants it written: `Date.parse` alone also accepts other text. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns the seconds of `Retry-After`, a number or a date, or `undefined` if it is absent or invalid. */
export function retryAfterSecondsIn(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : secondsUntil(value, headers.get('Date') ?? '');
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS);
}

/** Counts from the date of the server, so that a wrong clock on either side does no harm. */
function secondsUntil(date: string, serverDate: string): number {
  if (!HTTP_DATE.test(date)) return Number.NaN;
  const now = HTTP_DATE.test(serverDate) ? Date.parse(serverDate) : Date.now();
  return Math.ceil((Date.parse(date) - now) / 1_000);
}

/** How to repeat an attempt. */
export interface Retries {
  readonly maxRetries: number;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** Whether the failure may pass, and when the server wants the next attempt. */
  readonly afterFailure: (error: unknown) => {
    readonly passing: boolean;
    readonly retryAfterSeconds?: number | undefined;
  };
}

/**
 * Runs an attempt again while it fails with an error that may pass: at most `maxRetries` times, after a wait that
 * doubles and varies, and never before the time that the server asked for.
 *
 * @returns the result of the first successful attempt
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function withRetries<Result>(attempt: () => Promise<Result>, retries: Retries): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const { passing, retryAfterSeconds = 0 } = retries.afterFailure(error);
      const asked = retryAfterSeconds * 1_000;
      if (!passing || failures >= retries.maxRetries || asked > retries.maxWaitMs) throw error;
      await wait(Math.min(asked + backoff(failures), retries.maxWaitMs), retries.signal);
    }
  }
}

/** Half of the wait is random, so that clients that failed together do not come back together. */
function backoff(failures: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_BACKOFF_MS);
  return longest * (0.5 + Math.random() / 2);
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
