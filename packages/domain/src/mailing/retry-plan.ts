const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Waits between attempts that a mail server refused for now; the last one repeats. The first is short, because greylisting accepts the
 * second attempt.
 */
const RETRY_WAITS_MS: readonly number[] = [2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS];

/** How long a mail that a server refuses for now is tried (RFC 5321, section 4.5.4.1: at least four to five days). */
const RETRY_FOR_MS: number = 5 * DAY_MS;

/** Wait until a mail is tried again that no server decided about. Such attempts are not counted. */
export const UNAVAILABLE_WAIT_MS: number = MINUTE_MS;

/**
 * Returns when a mail that was refused for now is due again; null to give it up.
 * @param since when it could be sent first
 * @param attempts number of attempts that failed, this one included
 */
export function retryAt(since: Date, attempts: number, now: Date): Date | null {
  if (now.getTime() - since.getTime() >= RETRY_FOR_MS) return null;
  const wait = RETRY_WAITS_MS[attempts - 1] ?? RETRY_WAITS_MS.at(-1) ?? 0;
  return new Date(now.getTime() + wait);
}
