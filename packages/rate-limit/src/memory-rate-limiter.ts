import type { RateLimiter } from '@countersign/domain';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/**
 * Counts in this process, by the system's clock. Right for a single instance; several instances would each count for
 * themselves. A bucket costs memory from its first request to the end of its window.
 */
export function createMemoryRateLimiter(): RateLimiter {
  // Limit and window belong to the request, not to the counter, so that a client whose plan changes keeps its count.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 0, keyPrefix: '' });

  return {
    async consume(bucket, { requests, windowSeconds }) {
      const { consumedPoints, msBeforeNext } = await counter.consume(bucket, 1, { customDuration: windowSeconds });
      return {
        allowed: consumedPoints <= requests,
        limit: requests,
        remaining: Math.max(0, requests - consumedPoints),
        resetAt: new Date(Date.now() + msBeforeNext),
      };
    },
  };
}
