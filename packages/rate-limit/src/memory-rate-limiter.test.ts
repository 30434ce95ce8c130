import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryRateLimiter } from './index.ts';
import { createLocalCounts } from './local-counts.ts';

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

it('local counts: windows of any length are forgotten within a minute after their end', () => {
  const counts = createLocalCounts();
  counts.consume('sign-in:address:192.0.2.1', { requests: 1, windowSeconds: 15 * 60 });
  for (let n = 0; n < 20; n++) counts.consume(`address:192.0.2.${n}`, aMinute(1));
  expect(counts.size()).toBe(21);
  vi.advanceTimersByTime(60_000);
  counts.consume('client:a', aMinute(1));
  expect(counts.size()).toBe(2);
  vi.advanceTimersByTime(15 * 60_000);
  counts.giveBack('client:a');
  expect(counts.size()).toBe(0);
});
