import type { Clock, RateLimiter } from '@countersign/domain';

/**
 * Creates a rate limiter with fixed windows by the given clock, so that a test moves time itself.
 *
 * @example
 * const clock = createFixedClock();
 * const limiter = createMemoryRateLimiter(clock);
 * await limiter.consume('client:acme', { requests: 1, windowSeconds: 60 }); // { allowed: true, remaining: 0, … }
 * clock.advance(60_000);
 */
export function createMemoryRateLimiter(clock: Clock): RateLimiter {
  const windows = new Map<string, { used: number; resetAt: number }>();

  return {
    async consume(bucket, { requests, windowSeconds }) {
      const now = clock.now().getTime();
      const running = windows.get(bucket);
      const window =
        running !== undefined && now < running.resetAt
          ? running
          : { used: 0, resetAt: now + windowSeconds * 1000 };
      window.used += 1;
      windows.set(bucket, window);
      return {
        allowed: window.used <= requests,
        limit: requests,
        remaining: Math.max(0, requests - window.used),
        resetAt: new Date(window.resetAt),
      };
    },

    async giveBack(bucket) {
      const window = windows.get(bucket);
      if (window !== undefined && clock.now().getTime() < window.resetAt)
        window.used = Math.max(0, window.used - 1);
    },
  };
}
