import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryRateLimiter } from './index.ts';

const aMinute = (requests: number) => ({ requests, windowSeconds: 60 });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-15T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

it('memory rate limiter: a window begins with its first request, and a new one after its end', async () => {
  const limiter = createMemoryRateLimiter();
  const { resetAt } = await limiter.consume('client:a', aMinute(1));
  expect(resetAt).toEqual(new Date('2026-01-15T12:01:00Z'));
  vi.setSystemTime('2026-01-15T12:00:59.999Z');
  expect(await limiter.consume('client:a', aMinute(1))).toMatchObject({ allowed: false, resetAt });
  vi.setSystemTime('2026-01-15T12:01:00Z');
  expect(await limiter.consume('client:a', aMinute(1))).toMatchObject({
    allowed: true,
    resetAt: new Date('2026-01-15T12:02:00Z'),
  });
});

it('memory rate limiter: resetAt differs by at most a millisecond within a window', async () => {
  // The library returns the time left, and the clock may advance before the two are added.
  const limiter = createMemoryRateLimiter();
  let now = Date.parse('2026-01-15T12:00:00Z');
  vi.spyOn(Date, 'now').mockImplementation(() => now++);
  for (let request = 0; request < 100; request++) {
    const { resetAt } = await limiter.consume('client:a', aMinute(100));
    expect([0, 1]).toContain(resetAt.getTime() - Date.parse('2026-01-15T12:01:00Z'));
  }
});

it('memory rate limiter: forgets each bucket when its window ends', async () => {
  const limiter = createMemoryRateLimiter();
  for (let n = 0; n < 20; n++) await limiter.consume(`address:192.0.2.${n}`, aMinute(1));
  // The library keeps one timer for each bucket.
  expect(vi.getTimerCount()).toBe(20);
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(await limiter.consume('address:192.0.2.1', aMinute(1))).toMatchObject({ allowed: true, remaining: 0 });
});
