import type { RateLimit, RateLimitDecision, RateLimiter } from '@countersign/domain';
import {
  type RateLimitersUnderTest,
  rateLimitSuite,
  rateLimitWindowsSuite,
} from '../../src/suites/rate-limits.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { moved, roundTrip } from './patch.ts';

type Break = (sound: RateLimitersUnderTest) => RateLimitersUnderTest;
type Consume = RateLimiter['consume'];

/** Replaces `consume` of every instance. */
const consumes =
  (replacement: (next: Consume, bucket: string, limit: RateLimit) => Promise<RateLimitDecision>): Break =>
  (limiters) => ({
    ...limiters,
    instance: () => {
      const limiter = limiters.instance();
      return { ...limiter, consume: (bucket, limit) => replacement(limiter.consume, bucket, limit) };
    },
  });

/** Replaces `giveBack` of every instance. */
const givesBack =
  (replacement: (limiter: RateLimiter, bucket: string) => Promise<void>): Break =>
  (limiters) => ({
    ...limiters,
    instance: () => {
      const limiter = limiters.instance();
      return { ...limiter, giveBack: (bucket) => replacement(limiter, bucket) };
    },
  });

const answersWith = (change: (decision: RateLimitDecision) => Partial<RateLimitDecision>): Break =>
  consumes(async (next, bucket, limit) => {
    const decision = await next(bucket, limit);
    return { ...decision, ...change(decision) };
  });

const renames =
  (rename: (bucket: string, limit: RateLimit | null) => string): Break =>
  (limiters) =>
    givesBack(({ giveBack }, bucket) => giveBack(rename(bucket, null)))(
      consumes((next, bucket, limit) => next(rename(bucket, limit), limit))(limiters),
    );

/** Stops counting at the limit, as if a refused request had not been counted. */
const forgetsRefused: Break = (limiters) =>
  consumes(async (next, bucket, limit) => {
    const decision = await next(bucket, limit);
    if (!decision.allowed && limit.requests > 0) await limiters.instance().giveBack(bucket);
    return decision;
  })(limiters);

/** Raises the limit by each request that was given back, counted or not. */
const keepsCredit: Break = (limiters) => {
  const credit = new Map<string, number>();
  const giving = givesBack(async (_limiter, bucket) => void credit.set(bucket, (credit.get(bucket) ?? 0) + 1));
  return consumes((next, bucket, limit) =>
    next(bucket, { ...limit, requests: limit.requests + (credit.get(bucket) ?? 0) }),
  )(giving(limiters));
};

/** Breaks each instance differently. */
const byInstance =
  (breakOf: (n: number) => Break): Break =>
  (limiters) => {
    let instances = 0;
    return { ...limiters, instance: () => breakOf(++instances)(limiters).instance() };
  };

export const RATE_LIMIT_MUTANTS: readonly Mutant<RateLimitersUnderTest>[] = [
  ...mutantsOf(rateLimitSuite, {
    'allows one more': consumes((next, bucket, limit) => next(bucket, { ...limit, requests: limit.requests + 1 })),
    'allows one less': answersWith(({ remaining }) => ({ allowed: remaining > 0 })),
    'reads the count, then writes': (limiters) => {
      const used = new Map<string, number>();
      return consumes(async (next, bucket, limit) => {
        const count = (used.get(bucket) ?? 0) + 1;
        await roundTrip();
        used.set(bucket, count);
        const { resetAt } = await next(bucket, limit);
        const remaining = Math.max(0, limit.requests - count);
        return { allowed: count <= limit.requests, limit: limit.requests, remaining, resetAt };
      })(limiters);
    },
    'answers remaining one too high': answersWith(({ remaining, limit }) => ({
      remaining: Math.min(limit, remaining + 1),
    })),
    'answers limit 0 when it refuses': answersWith(({ allowed, limit }) => ({ limit: allowed ? limit : 0 })),
    'takes 0 for no limit': consumes((next, bucket, limit) =>
      next(bucket, { ...limit, requests: limit.requests || 1_000 }),
    ),
    'has one count for all buckets': renames(() => 'all'),
    'lowercases buckets': renames((bucket) => bucket.toLowerCase()),
    'trims buckets': renames((bucket) => bucket.trim()),
    'composes accents': renames((bucket) => bucket.normalize('NFC')),
    'truncates buckets at 20 characters': renames((bucket) => bucket.slice(0, 20)),
    'counts separately for each limit': renames((bucket, limit) => `${bucket} ${limit?.requests}`),
    'counts separately for each instance': byInstance((n) => renames((bucket) => `${n} ${bucket}`)),
    'does not count a refused request': forgetsRefused,
    'gives nothing back': givesBack(async () => undefined),
    'gives two back': givesBack(async ({ giveBack }, bucket) => {
      await giveBack(bucket);
      await giveBack(bucket);
    }),
    'gives everything back': givesBack(async ({ giveBack }, bucket) => {
      for (let n = 0; n < 200; n += 1) await giveBack(bucket);
    }),
    'gives back of a bucket in any case': givesBack(({ giveBack }, bucket) => giveBack(bucket.toLowerCase())),
    'lets the count fall below 0': keepsCredit,
  }),
  ...mutantsOf(rateLimitWindowsSuite, {
    'starts windows at full minutes': answersWith(({ resetAt }) => ({
      resetAt: moved(resetAt, 30_000 - ((resetAt.getTime() + 30_000) % 60_000)),
    })),
    'answers the start of the window as resetAt': answersWith(({ resetAt }) => ({
      resetAt: moved(resetAt, -60_000),
    })),
    'answers another resetAt for each instance': byInstance((n) =>
      answersWith(({ resetAt }) => ({ resetAt: moved(resetAt, 1_000 * n) })),
    ),
    'extends the window with every request': (limiters) =>
      consumes(async (next, bucket, limit) => ({
        ...(await next(bucket, limit)),
        resetAt: moved(limiters.now(), limit.windowSeconds * 1_000),
      }))(limiters),
    'never starts a new window': (limiters) => {
      const refused = new Set<string>();
      return consumes(async (next, bucket, limit) => {
        const decision = await next(bucket, limit);
        if (!decision.allowed) refused.add(bucket);
        return { ...decision, allowed: !refused.has(bucket) };
      })(limiters);
    },
    'gives back of a window that has ended to the next one': keepsCredit,
    'starts a new window with the old count': (limiters) => {
      let count = 0;
      return answersWith(({ remaining }) => {
        count += 1;
        return { remaining: Math.max(0, remaining - Math.floor(count / 4)) };
      })(limiters);
    },
  }),
];
