const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Waits between the attempts of a delivery, in milliseconds. After the last one the delivery fails. */
export const RETRY_WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

/** Random share added to each wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** The longest wait that a receiver can ask for with `Retry-After`. */
export const LONGEST_WAIT_MS: number = 10 * HOUR_MS;

/**
 * How many of the deliveries that waited during an outage are due, and over which time, once their endpoint accepts a webhook again: a
 * receiver that just recovered gets neither all at the same moment nor old webhooks minutes after new ones. Of very many, the others
 * follow with later successes: a storage in the process of the server would stop it for seconds.
 */
export const RECOVERY: { readonly limit: number; readonly withinMs: number } = {
  limit: 5_000,
  withinMs: 5 * SECOND_MS,
};

/** An endpoint all of whose deliveries failed for this long is paused. */
export const FAILING_LIMIT_MS: number = 3 * DAY_MS;

/** The response of a receiver. */
export interface WebhookVerdict {
  /** `accepted`: it has the webhook. `gone`: it wants no more webhooks. `failed`: anything else, and no response at all. */
  readonly verdict: 'accepted' | 'gone' | 'failed';
  /** The wait that `Retry-After` asks for, in seconds; null without one. */
  readonly retryAfterSeconds: number | null;
}

/** The outcome of an attempt. `gone`: the receiver wants no more webhooks. */
export type AttemptResult =
  | { readonly result: 'delivered' }
  | { readonly result: 'retry'; readonly dueAt: Date }
  | { readonly result: 'failed' }
  | { readonly result: 'gone' };

/**
 * Decides the outcome of an attempt: what failed is retried, until the waits are used up.
 * @param attempts number of attempts so far, this one included
 * @param spread a random number from 0 up to 1, 1 excluded
 */
export function afterAttempt(
  { verdict, retryAfterSeconds }: WebhookVerdict,
  { attempts, now, spread }: { attempts: number; now: Date; spread: number },
): AttemptResult {
  if (verdict === 'accepted') return { result: 'delivered' };
  if (verdict === 'gone') return { result: 'gone' };
  const wait = RETRY_WAITS_MS[attempts - 1];
  if (wait === undefined) return { result: 'failed' };
  const asked = Math.min((retryAfterSeconds ?? 0) * SECOND_MS, LONGEST_WAIT_MS);
  const longer = wait * (1 + JITTER * spread);
  return { result: 'retry', dueAt: new Date(now.getTime() + Math.round(Math.max(longer, asked))) };
}

/** Returns the time limit: an endpoint that has failed since then or longer is paused. */
export function pausedIfFailingSince(now: Date): Date {
  return new Date(now.getTime() - FAILING_LIMIT_MS);
}
