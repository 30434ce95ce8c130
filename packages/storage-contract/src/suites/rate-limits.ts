import type { RateLimitDecision, RateLimiter } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { expectCount } from '../records/count.ts';
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
    expectCount(allowed(decisions.flat()), 100);
  },
  'giveBack: takes one request of the window back, also after the limit was reached': async ({ instance }) => {
    const limiter = instance();
    const { resetAt } = await limiter.consume('client:back', perMinute(2));
    expect(await limiter.consume('client:back', perMinute(2))).toMatchObject({ remaining: 0 });
    await limiter.giveBack('client:back');
    const again = await limiter.consume('client:back', perMinute(2));
    expect(again).toMatchObject({ allowed: true, remaining: 0 });
    expect(Math.abs(again.resetAt.getTime() - resetAt.getTime())).toBeLessThanOrEqual(TOLERANCE_MS);
    expect(await limiter.consume('client:back', perMinute(2))).toMatchObject({ allowed: false });
    await limiter.giveBack('client:back');
    expect(await limiter.consume('client:back', perMinute(2))).toMatchObject({ allowed: false });
  },
  'giveBack: takes a refused request back too, so that it leaves nothing behind': async ({ instance }) => {
    const limiter = instance();
    const decisions = await consume(limiter, 'client:refusals', 14, 10);
    expectCount(allowed(decisions), 10);
    await atOnce(4, () => limiter.giveBack('client:refusals'));
    expect(await limiter.consume('client:refusals', perMinute(10))).toMatchObject({ allowed: false });
    await limiter.giveBack('client:refusals');
    await limiter.giveBack('client:refusals');
    expectCount(allowed(await consume(limiter, 'client:refusals', 5, 10)), 1);
  },
  'giveBack: many at once never allow more than the limit': async ({ instance }) => {
    const limiter = instance();
    await consume(limiter, 'client:floor', 3, 5);
    await atOnce(20, () => limiter.giveBack('client:floor'));
    expectCount(allowed(await consume(limiter, 'client:floor', 20, 5)), 5);
  },
  'giveBack: of several at once, each takes one back': async ({ instance }) => {
    const limiter = instance();
    await consume(limiter, 'client:several', 10, 10);
    await atOnce(4, () => limiter.giveBack('client:several'));
    expectCount(allowed(await consume(limiter, 'client:several', 20, 10)), 4);
  },
  'giveBack: changes nothing for an unknown bucket or another one': async ({ instance }) => {
    const limiter = instance();
    await limiter.consume('client:one', perMinute(1));
    for (const other of ['client:never', 'client:ONE', 'client:one ']) await limiter.giveBack(other);
    expect(await limiter.consume('client:one', perMinute(1))).toMatchObject({ allowed: false });
    expect(await limiter.consume('client:never', perMinute(1))).toMatchObject({ allowed: true, remaining: 0 });
  },
  'giveBack: counts for all instances together': async ({ instance }) => {
    const [one, other] = [instance(), instance()];
    await one.consume('client:both', perMinute(1));
    await other.giveBack('client:both');
    expect(await one.consume('client:both', perMinute(1))).toMatchObject({ allowed: true });
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
    'giveBack: changes nothing of the next window after the last has ended': async (limiters) => {
      const limiter = limiters.instance();
      const { resetAt } = await limiter.consume('client:late', { requests: 2, windowSeconds: 1 });
      await limiters.elapse(Math.max(0, resetAt.getTime() - limiters.now().getTime()) + TOLERANCE_MS);
      await limiter.giveBack('client:late');
      expect(await limiter.consume('client:late', perMinute(2))).toMatchObject({ allowed: true, remaining: 1 });
      expect(await limiter.consume('client:late', perMinute(2))).toMatchObject({ allowed: true, remaining: 0 });
    },
  },
);

/** The suites of `rateLimiterContract`, for mutation tests. */
export const RATE_LIMIT_SUITES: readonly Suite<RateLimitersUnderTest>[] = [rateLimitSuite, rateLimitWindowsSuite];
