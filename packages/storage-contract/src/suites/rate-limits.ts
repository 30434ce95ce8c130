import type { RateLimitDecision, RateLimiter } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Rate limiters under test, and their time. */
export interface RateLimitersUnderTest {
  /** Returns a limiter that shares its counts with all others of this case, such as another instance of a service. */
  instance(): RateLimiter;
  /** The time by the limiters' clock. */
  now(): Date;
  /** Resolves when that much time has passed by the limiters' clock. */
  elapse(milliseconds: number): Promise<void>;
}

/** By how much `resetAt` may differ within a window: some limiters know only the time left of it. */
const TOLERANCE_MS = 100;

const perMinute = (requests: number) => ({ requests, windowSeconds: 60 });
const perTwoSeconds = (requests: number) => ({ requests, windowSeconds: 2 });

const consume = (
  limiter: RateLimiter,
  bucket: string,
  count: number,
  requests: number,
): Promise<RateLimitDecision[]> => atOnce(count, () => limiter.consume(bucket, perMinute(requests)));

const allowed = (decisions: readonly RateLimitDecision[]): RateLimitDecision[] =>
  decisions.filter((decision) => decision.allowed);

/** How many requests a window allows. */
export const rateLimitSuite: Suite<RateLimitersUnderTest> = suiteOf<RateLimitersUnderTest>('rate limits', {
  'consume: allows exactly the limit of many requests at once': async ({ instance }) => {
    const decisions = await consume(instance(), 'client:many', 164, 100);
    const remaining = allowed(decisions).map((decision) => decision.remaining);
    expect(remaining.sort((a, b) => b - a)).toEqual(range(0, 99).reverse());
  },
  'consume: refuses with the limit, nothing remaining and the end of the window': async ({ instance }) => {
    const limiter = instance();
    await limiter.consume('client:refused', perMinute(1));
    const { resetAt, ...refused } = await limiter.consume('client:refused', perMinute(1));
    expect(refused).toEqual({ allowed: false, limit: 1, remaining: 0 });
    expect(resetAt).toBeInstanceOf(Date);
  },
  'consume: refuses every request at a limit of 0': async ({ instance }) => {
    expect(await instance().consume('client:none', perMinute(0))).toMatchObject({ allowed: false, remaining: 0 });
  },
  'consume: counts each bucket separately, under any name': async ({ instance }) => {
    const limiter = instance();
    const odd = `'quoted" \u{1f5dd} {braces} %_*`;
    const buckets = ['a', 'A', 'a ', 'b', 'é', 'e\u0301', 'address:2001:db8::/64', 'address:2001:db8::/65', odd];
    for (const bucket of buckets) {
      expect(await limiter.consume(bucket, perMinute(1)), bucket).toMatchObject({ allowed: true });
      expect(await limiter.consume(bucket, perMinute(1)), bucket).toMatchObject({ allowed: false });
    }
  },
  'consume: keeps the count of a client whose limit changes within a window': async ({ instance }) => {
    const limiter = instance();
    await consume(limiter, 'client:plan', 100, 500);
    expect(await limiter.consume('client:plan', perMinute(100))).toMatchObject({ allowed: false, limit: 100 });
    expect(await limiter.consume('client:plan', perMinute(500))).toMatchObject({ allowed: true, remaining: 398 });
  },
  'consume: counts for all instances together': async ({ instance }) => {
    const instances = range(1, 4).map(() => instance());
    const decisions = await Promise.all(instances.map((each) => consume(each, 'client:shared', 50, 100)));
    expect(allowed(decisions.flat())).toHaveLength(100);
  },
});

/** When a window begins and ends. */
export const rateLimitWindowsSuite: Suite<RateLimitersUnderTest> = suiteOf<RateLimitersUnderTest>(
  'rate limit windows',
  {
    'consume: answers one end of a window, which lasts from its first request': async ({ instance, now }) => {
      const before = now().getTime();
      const [one, other] = [instance(), instance()];
      const decisions = [
        ...(await consume(one, 'client:reset', 20, 9)),
        ...(await consume(other, 'client:reset', 20, 9)),
      ];
      const ends = decisions.map(({ resetAt }) => resetAt.getTime());
      expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual(TOLERANCE_MS);
      expect(Math.min(...ends)).toBeGreaterThanOrEqual(before + 60_000 - TOLERANCE_MS);
      expect(Math.min(...ends)).toBeLessThanOrEqual(now().getTime() + 60_000 + TOLERANCE_MS);
    },
    'consume: starts a new window with a new count after the last has ended': async (limiters) => {
      const limiter = limiters.instance();
      const consumeOne = () => limiter.consume('client:window', perTwoSeconds(2));
      const first = await consumeOne();
      const end = first.resetAt.getTime();
      await limiters.elapse(500);
      const second = await consumeOne();
      // On a busy machine the window may already have ended.
      if (second.resetAt.getTime() - end > TOLERANCE_MS) {
        expect(second.resetAt.getTime()).toBeGreaterThanOrEqual(end + 2_000 - TOLERANCE_MS);
      }
      const third = await consumeOne();
      expect(third.allowed).toBe(third.resetAt.getTime() - end > TOLERANCE_MS);
      await limiters.elapse(Math.max(0, third.resetAt.getTime() - limiters.now().getTime()) + TOLERANCE_MS);
      const next = await consumeOne();
      expect(next).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
      expect(next.resetAt.getTime()).toBeGreaterThanOrEqual(third.resetAt.getTime() + 2_000 - TOLERANCE_MS);
    },
  },
);

export const RATE_LIMIT_SUITES: readonly Suite<RateLimitersUnderTest>[] = [rateLimitSuite, rateLimitWindowsSuite];
