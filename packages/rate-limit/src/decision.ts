import type { RateLimit, RateLimitDecision } from '@countersign/domain';

/**
 * What follows from a bucket's count. Limit and window belong to the request, not to the counter, so that a client
 * whose plan changes keeps its count.
 */
export function decide(count: number, { requests }: RateLimit, resetAt: Date): RateLimitDecision {
  return { allowed: count <= requests, limit: requests, remaining: Math.max(0, requests - count), resetAt };
}
