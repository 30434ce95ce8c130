import type { Clock, RateLimiter } from '@countersign/domain';

/** Fixed windows by the given clock, so that a test moves time itself. Windows that have ended are forgotten on use. */
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
  };
}
