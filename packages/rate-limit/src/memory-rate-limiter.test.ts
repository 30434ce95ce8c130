import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryRateLimiter } from './index.ts';

const aMinute = (requests: number) => ({ requests, windowSeconds: 60 });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-15T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

it('lets exactly the limit of many at once pass', async () => {
  const limiter = createMemoryRateLimiter();
  const decisions = await Promise.all(
    Array.from({ length: 150 }, () => limiter.consume('client:a', aMinute(100))),
  );
  expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(100);
  expect(decisions.map(({ remaining }) => remaining).slice(0, 3)).toEqual([99, 98, 97]);
  expect(decisions.at(-1)).toEqual({
    allowed: false,
    limit: 100,
    remaining: 0,
    resetAt: new Date('2026-01-15T12:01:00Z'),
  });
});

it('counts each bucket for itself', async () => {
  const limiter = createMemoryRateLimiter();
  await limiter.consume('client:a', aMinute(1));
  expect((await limiter.consume('client:a', aMinute(1))).allowed).toBe(false);
  expect((await limiter.consume('client:b', aMinute(1))).allowed).toBe(true);
});

it('begins a window with its first request and a new one after it has ended', async () => {
  const limiter = createMemoryRateLimiter();
  const { resetAt } = await limiter.consume('client:a', aMinute(1));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(await limiter.consume('client:a', aMinute(1))).toMatchObject({ allowed: false, resetAt });
  await vi.advanceTimersByTimeAsync(1);
  expect(await limiter.consume('client:a', aMinute(1))).toMatchObject({
    allowed: true,
    resetAt: new Date('2026-01-15T12:02:00Z'),
  });
});

it('keeps the count of a client whose plan changes within a window', async () => {
  const limiter = createMemoryRateLimiter();
  for (let request = 0; request < 100; request += 1) await limiter.consume('client:a', aMinute(500));
  expect(await limiter.consume('client:a', aMinute(100))).toMatchObject({
    allowed: false,
    limit: 100,
    remaining: 0,
  });
});

it('forgets a bucket once its window has ended', async () => {
  const limiter = createMemoryRateLimiter();
  await limiter.consume('address:192.0.2.1', aMinute(1));
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
});
