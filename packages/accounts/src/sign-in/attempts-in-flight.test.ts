import { setImmediate } from 'node:timers/promises';
import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
import { expect, it, vi } from 'vitest';
import { createAttemptsInFlight } from './attempts-in-flight.ts';

/** Begins attempts on one bucket, and lists those whose check has begun. */
function givenAttempts(requests: number) {
  const clock = createFixedClock(new Date('2026-03-01T12:00:00.000Z'));
  const rateLimiter = createMemoryRateLimiter(clock);
  const inFlight = createAttemptsInFlight(rateLimiter);
  const begun: string[] = [];
  const limit = { requests, windowSeconds: 60 };
  return {
    begun,
    /** Counts attempts of another instance. */
    async countElsewhere(attempts: number) {
      for (let count = 0; count < attempts; count += 1) await rateLimiter.consume('bucket', limit);
    },
    left: async () => (await rateLimiter.consume('bucket', limit)).remaining + 1,
    async begin(name: string) {
      const attempt = await inFlight.begin({ name: 'bucket', limit });
      if (!attempt.allowed) throw new Error('refused');
      begun.push(name);
      return attempt;
    },
  };
}

it('attempts in flight: a third of the limit runs at the same time, and the next begins as soon as one ends', async () => {
  const { begun, begin } = givenAttempts(9);
  const attempts = ['1', '2', '3', '4', '5'].map(begin);
  await setImmediate();
  expect(begun).toEqual(['1', '2', '3']);
  await (await attempts[1])?.end(false);
  await setImmediate();
  expect(begun).toEqual(['1', '2', '3', '4']);
  for (const attempt of attempts) await (await attempt).end(false);
});

it('attempts in flight: at least one runs, also after the first has ended', async () => {
  const { begun, begin } = givenAttempts(2);
  const [first, second] = [begin('first'), begin('second')];
  await (await first).end(false);
  const running = await second;
  const third = begin('third');
  await setImmediate();
  expect(begun).toEqual(['first', 'second']);
  await running.end(false);
  await (await third).end(false);
  expect(begun).toEqual(['first', 'second', 'third']);
});

it('attempts in flight: one that finds the bucket full waits for those that may succeed', async () => {
  const { begun, begin, countElsewhere } = givenAttempts(6);
  await countElsewhere(5);
  const [first, second] = [begin('first'), begin('second')];
  const running = await first;
  await setImmediate();
  expect(begun).toEqual(['first']);
  await running.end(false);
  await (await second).end(false);
  expect(begun).toEqual(['first', 'second']);
});

it('attempts in flight: a full bucket refuses, and neither a refused nor a right attempt counts', async () => {
  const { begin, countElsewhere } = givenAttempts(6);
  await countElsewhere(5);
  const wrong = await begin('wrong');
  const waiting = begin('refused');
  await wrong.end(true);
  await expect(waiting).rejects.toThrow('refused');
  await expect(begin('refused too')).rejects.toThrow('refused');

  const other = givenAttempts(6);
  await (await other.begin('right')).end(false);
  expect(await other.left()).toBe(6);
});

it('attempts in flight: an attempt that cannot be counted fails, and the next one is counted', async () => {
  const { consume, ...limiter } = createMemoryRateLimiter(createFixedClock(new Date('2026-03-01T12:00:00.000Z')));
  const counted = vi.fn<typeof consume>(consume).mockRejectedValueOnce(new Error('canary'));
  const inFlight = createAttemptsInFlight({ ...limiter, consume: counted });
  const bucket = { name: 'bucket', limit: { requests: 9, windowSeconds: 60 } };
  const [failed, next] = [inFlight.begin(bucket), inFlight.begin(bucket)];
  await expect(failed).rejects.toThrow('canary');
  expect((await next).allowed).toBe(true);
});
