import type { RateLimitDecision } from '@countersign/domain';

/** The value of `Retry-After`: whole seconds until the window ends, at least 1. */
export function retryAfterSeconds({ resetAt }: RateLimitDecision): number {
  return Math.max(1, Math.ceil((resetAt.getTime() - Date.now()) / 1000));
}
