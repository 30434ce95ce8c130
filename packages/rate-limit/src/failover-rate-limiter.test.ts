import type { RateLimitDecision } from '@countersign/domain';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFailoverRateLimiter, type SharedRateLimiter } from './index.ts';
import { createLocalCounts } from './local-counts.ts';

const LIMIT = { requests: 100, windowSeconds: 60 };
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-15T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A shared limiter whose store a test can stop, and the reported outages. */
function given(store: { answer: () => Promise<unknown> }) {
  const decision: RateLimitDecision = {
    allowed: true,
    limit: 100,
    remaining: 42,
    resetAt: new Date(Date.now() + 60_000),
  };
  const shared = {
    consume: vi.fn<SharedRateLimiter['consume']>(() => store.answer().then(() => decision)),
    giveBack: vi.fn<SharedRateLimiter['giveBack']>(() => store.answer().then(() => undefined)),
    ping: vi.fn<SharedRateLimiter['ping']>(() => store.answer().then(() => undefined)),
    close: vi.fn<SharedRateLimiter['close']>(async () => undefined),
  };
  const reports: string[] = [];
  const limiter = createFailoverRateLimiter({
    shared,
    onDown: (fault) => reports.push(`down: ${fault.message}`),
    onUp: () => reports.push('up'),
  });
  return { limiter, shared, reports, decision };
}

const refused = (): Promise<void> => Promise.reject(new Error('refused'));
const answered = (): Promise<void> => Promise.resolve();

it('failover: counts in the shared store while it is up', async () => {
  const { limiter, reports, decision } = given({ answer: answered });
  expect(await limiter.consume('client:a', LIMIT)).toBe(decision);
  expect(reports).toEqual([]);
});

it('failover: counts locally during an outage, reports it once, and requests do not wait for the store', async () => {
  const store = { answer: answered };
  const { limiter, shared, reports } = given(store);
  await limiter.ready();
  store.answer = refused;
  const atOnce = await Promise.all(Array.from({ length: 150 }, () => limiter.consume('client:a', LIMIT)));
  expect(atOnce.filter(({ allowed }) => allowed)).toHaveLength(100);
  expect(reports).toEqual(['down: refused']);
  const asked = shared.consume.mock.calls.length;
  expect((await limiter.consume('client:b', LIMIT)).remaining).toBe(99);
  expect(shared.consume).toHaveBeenCalledTimes(asked);
});

it('failover: a store without an answer within the deadline is down', async () => {
  const store = { answer: answered };
  const { limiter, reports } = given(store);
  await limiter.ready();
  store.answer = never;
  const waiting = limiter.consume('client:a', LIMIT);
  await vi.advanceTimersByTimeAsync(299);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect(await waiting).toMatchObject({ remaining: 99 });
  expect(reports).toEqual(['down: no answer within 300 ms']);
});

it('failover: waits for a slow store that answers one request after the other', async () => {
  const store = { answer: answered };
  const { limiter, reports, decision } = given(store);
  await limiter.ready();
  // Answers one after the other, as a queue does.
  const begun = Date.now();
  let place = 0;
  store.answer = () => {
    place += 1;
    return new Promise((resolve) => setTimeout(resolve, 50 * place));
  };
  const waiting = Promise.all(Array.from({ length: 18 }, () => limiter.consume('client:a', LIMIT)));
  await vi.advanceTimersByTimeAsync(900);
  expect(new Set(await waiting)).toEqual(new Set([decision]));
  expect([reports, Date.now() - begun]).toEqual([[], 900]);
});

it('failover: a store that lets one request wait for a second is down, even if it answers others', async () => {
  const store: { answer: () => Promise<unknown> } = { answer: answered };
  const { limiter, reports } = given(store);
  await limiter.ready();
  store.answer = never;
  const slow = limiter.consume('client:a', LIMIT);
  store.answer = answered;
  for (let n = 0; n < 9; n++) {
    await vi.advanceTimersByTimeAsync(100);
    expect((await limiter.consume('client:b', LIMIT)).remaining).toBe(42);
  }
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(101);
  expect((await slow).remaining).toBe(99);
  expect(reports).toEqual(['down: no answer within 1000 ms']);
});

it('failover: counts in the store again when a background check finds it, and reports it once', async () => {
  const store = { answer: refused };
  const { limiter, shared, reports, decision } = given(store);
  await limiter.consume('client:a', LIMIT);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(shared.ping.mock.calls.length).toBeGreaterThanOrEqual(9);
  store.answer = answered;
  await vi.advanceTimersByTimeAsync(500);
  expect(reports).toEqual(['down: refused', 'up']);
  expect(await limiter.consume('client:a', LIMIT)).toBe(decision);
  store.answer = refused;
  await limiter.consume('client:a', LIMIT);
  expect(reports).toEqual(['down: refused', 'up', 'down: refused']);
});

it('failover: a late failure does not count as a new outage', async () => {
  let failLate: (fault: Error) => void = () => undefined;
  const store = { answer: answered };
  const { limiter, reports } = given(store);
  await limiter.ready();
  store.answer = () => new Promise((_, reject) => (failLate = reject));
  const slow = limiter.consume('client:a', LIMIT);
  store.answer = refused;
  await limiter.consume('client:a', LIMIT);
  store.answer = answered;
  failLate(new Error('late'));
  await slow;
  await vi.advanceTimersByTimeAsync(500);
  expect(reports).toEqual(['down: refused', 'up']);
});

it('failover: starts while the store is down, and no request waits longer than the deadline', async () => {
  const { limiter, reports } = given({ answer: never });
  const waiting = limiter.consume('client:a', LIMIT);
  await vi.advanceTimersByTimeAsync(301);
  expect(await waiting).toMatchObject({ remaining: 99 });
  await vi.advanceTimersByTimeAsync(1_700);
  await limiter.ready();
  expect(reports).toEqual(['down: no answer within 2000 ms']);
});

describe('failover: takeover', () => {
  /** A store that counts but does not answer while `isSilent`. */
  function givenCountingStore() {
    const counts = createLocalCounts();
    const late: (() => void)[] = [];
    const store = { isSilent: false };
    const limiter = createFailoverRateLimiter({
      shared: {
        consume: async (bucket, limit) => {
          const decision = counts.consume(bucket, limit);
          if (store.isSilent) await new Promise<void>((resolve) => late.push(resolve));
          return decision;
        },
        giveBack: async (bucket) => counts.giveBack(bucket),
        ping: () => (store.isSilent ? never() : Promise.resolve()),
        close: async () => undefined,
      },
      onDown: () => undefined,
      onUp: () => undefined,
    });
    const allowedOf = async (count: number, bucket = 'client:a'): Promise<number> => {
      const waiting = Promise.all(Array.from({ length: count }, () => limiter.consume(bucket, LIMIT)));
      await vi.advanceTimersByTimeAsync(301);
      return (await waiting).filter(({ allowed }) => allowed).length;
    };
    return { limiter, store, counts, late, allowedOf };
  }

  it('continues the last known counts until the same end of the window', async () => {
    const { limiter, store, allowedOf } = givenCountingStore();
    await limiter.ready();
    const { resetAt } = await limiter.consume('client:a', LIMIT);
    expect(await allowedOf(59)).toBe(59);
    store.isSilent = true;

    expect(await allowedOf(90)).toBe(40);
    expect(await limiter.consume('client:a', LIMIT)).toEqual({
      allowed: false,
      limit: 100,
      remaining: 0,
      resetAt,
    });
    expect(await allowedOf(150, 'client:b'), 'a bucket that the store never answered').toBe(100);
  });

  it('gives back in the store and in the known count', async () => {
    const { limiter, store, counts, allowedOf } = givenCountingStore();
    await limiter.ready();
    expect(await allowedOf(100)).toBe(100);
    await limiter.giveBack('client:a');
    expect(counts.consume('client:a', LIMIT)).toMatchObject({ allowed: true, remaining: 0 });
    counts.giveBack('client:a');
    store.isSilent = true;
    expect(await allowedOf(50), 'the store no longer answers').toBe(1);
    await limiter.giveBack('client:a');
    await limiter.giveBack('client:b');
    expect((await limiter.consume('client:a', LIMIT)).allowed).toBe(false);
  });

  it('takes over counts from late answers', async () => {
    const { limiter, store, counts, late, allowedOf } = givenCountingStore();
    await limiter.ready();
    for (let request = 0; request < 70; request++) counts.consume('client:a', LIMIT);
    store.isSilent = true;
    expect(await allowedOf(10)).toBe(10);
    for (const answer of late) answer();
    await vi.advanceTimersByTimeAsync(0);

    expect(await allowedOf(150)).toBe(20);
  });

  it('starts a new window when the last window seen in the store has ended', async () => {
    const { limiter, store, allowedOf } = givenCountingStore();
    await limiter.ready();
    expect(await allowedOf(100)).toBe(100);
    store.isSilent = true;
    expect(await allowedOf(1)).toBe(0);

    await vi.advanceTimersByTimeAsync(60_000);
    expect(await allowedOf(150)).toBe(100);
  });

  it('keeps the count when the limit of a client changes', async () => {
    const { limiter, store, allowedOf } = givenCountingStore();
    await limiter.ready();
    await allowedOf(60);
    store.isSilent = true;
    await allowedOf(1);

    const raised = await limiter.consume('client:a', { requests: 500, windowSeconds: 60 });
    expect(raised).toMatchObject({ allowed: true, limit: 500, remaining: 438 });
  });
});

it('failover: stops checking when it is closed', async () => {
  const { limiter, shared } = given({ answer: refused });
  await limiter.ready();
  await limiter.close();
  expect(shared.close).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
