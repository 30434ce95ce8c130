import type { RateLimiter } from '@countersign/domain';
import { createLocalCounts } from './local-counts.ts';

/**
 * Counts in this process, by the system's clock. Use it for a single instance only, because several instances would not
 * share their counts. A bucket uses memory from its first request until at most a minute after the end of its window.
 *
 * @example
 * const limiter = createMemoryRateLimiter();
 * await limiter.consume('client:acme', { requests: 100, windowSeconds: 60 });
 */
export function createMemoryRateLimiter(): RateLimiter {
  const counts = createLocalCounts();
  return {
    consume: async (bucket, limit) => counts.consume(bucket, limit),
    giveBack: async (bucket) => counts.giveBack(bucket),
  };
}
