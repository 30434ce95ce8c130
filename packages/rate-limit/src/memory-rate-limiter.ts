import type { RateLimiter } from '@countersign/domain';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { decide } from './local-counts.ts';

/**
 * Counts in this process, by the system's clock. Use it for a single instance only, because several instances would not
 * share their counts. `resetAt` can vary within a window by a few milliseconds on a busy machine. A bucket uses memory
 * from its first request to the end of its window.
 *
 * @example
 * const limiter = createMemoryRateLimiter();
 * await limiter.consume('client:acme', { requests: 100, windowSeconds: 60 });
 */
export function createMemoryRateLimiter(): RateLimiter {
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 0, keyPrefix: '' });

  return {
    async consume(bucket, limit) {
      const { consumedPoints, msBeforeNext } = await counter.consume(bucket, 1, {
        customDuration: limit.windowSeconds,
      });
      return decide(consumedPoints, limit, new Date(Date.now() + msBeforeNext));
    },
  };
}
