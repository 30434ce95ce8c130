import type { SharedRateLimiter } from '@countersign/rate-limit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../logging/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { openRateLimiting } from './rate-limiting.ts';

test('metrics: a shared rate limit store is up at first, and each switch is counted', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const metrics = createMetrics();
  const ping = vi.fn<SharedRateLimiter['ping']>(async () => undefined);
  const refuse = () => Promise.reject(new Error('refused'));
  const shared = { consume: refuse, giveBack: refuse, ping, close: async () => undefined };
  const { rateLimiter, isDown } = await openRateLimiting({
    redisUrl: undefined,
    database: { createRateLimiter: () => shared },
    log: createLog({ level: 'silent', output: { write: () => undefined } }),
    metrics,
  });
  const consume = () => rateLimiter.consume('client:a', { requests: 1, windowSeconds: 60 });

  expect(await metrics.text()).toContain('countersign_shared_rate_limits_up 1\n');
  ping.mockImplementation(refuse);
  await consume();
  expect(isDown()).toBe(true);
  expect(await metrics.text()).toContain('countersign_shared_rate_limits_up 0\n');
  ping.mockImplementation(async () => undefined);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isDown()).toBe(false);
  expect(await metrics.text()).toContain('countersign_shared_rate_limits_up 1\n');
  await consume();
  const text = await metrics.text();
  expect(text).toContain('countersign_shared_rate_limit_switches_total{to="local"} 2\n');
  expect(text).toContain('countersign_shared_rate_limit_switches_total{to="shared"} 1\n');
});
