import { describeSuites } from './describe-suites.ts';
import { RATE_LIMIT_SUITES, type RateLimitersUnderTest } from './suites/rate-limits.ts';

/** Rate limiters for one case. Time is the system's, unless the limiters have a clock of their own. */
export type RateLimiterSubject = Pick<RateLimitersUnderTest, 'instance'> &
  Partial<RateLimitersUnderTest> & {
    /** Called after the case, passed or failed. */
    close?(): Promise<void>;
  };

/**
 * Registers the contract of rate limiters with vitest. Call it in a test file of your limiter.
 *
 * @param name heading of the tests
 * @param create returns where limiters come from; `instance` gives another limiter on the same counts, or the only one.
 *   It is called before each case, and its counts must be empty.
 *
 * @example
 * // my-rate-limiter.test.ts
 * import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
 * import { rateLimiterContract } from '@countersign/storage-contract';
 *
 * rateLimiterContract('my rate limiter', async () => {
 *   const clock = createFixedClock();
 *   const limiter = createMemoryRateLimiter(clock);
 *   return { instance: () => limiter, now: clock.now, elapse: async (milliseconds) => clock.advance(milliseconds) };
 * });
 */
export function rateLimiterContract(name: string, create: () => Promise<RateLimiterSubject>): void {
  const withTime = async () => ({
    now: () => new Date(),
    elapse: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
    close: async () => undefined,
    ...(await create()),
  });
  describeSuites(name, RATE_LIMIT_SUITES, withTime, (limiters) => limiters.close());
}
