import type { RateLimiter } from '@countersign/domain';
import {
  describeWith,
  type ServerKind,
  startPgBouncer,
  startPostgres,
  startRedis,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createMemoryRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from './index.ts';

const limit = (requests: number, windowSeconds = 60) => ({ requests, windowSeconds });

/** What the instances of a service share: each call of `instance` is a limiter of its own on it. */
interface Store {
  instance(): RateLimiter;
  /** How much `resetAt` may differ within a window, on a machine where others are at work too. */
  readonly resetVariesByMs: number;
  close(): Promise<void>;
}

const stores: [name: string, needs: ServerKind[], open: () => Promise<Store>][] = [
  [
    'memory',
    [],
    async () => {
      const only = createMemoryRateLimiter();
      return { instance: () => only, resetVariesByMs: 100, close: async () => undefined };
    },
  ],
  [
    'Redis',
    ['redis'],
    async () => {
      const server = await startRedis();
      const keyPrefix = `test-${process.pid}-${performance.now()}`;
      return closing(
        () => createRedisRateLimiter({ url: server.url, keyPrefix, deadlineMs: 10_000 }),
        () => server.stop(),
      );
    },
  ],
  [
    'Postgres',
    ['postgres'],
    async () => {
      const server = await startPostgres({ fsync: false });
      const url = await server.createDatabase();
      return closing(
        () => createPostgresRateLimiter({ url, deadlineMs: 10_000 }),
        () => server.stop(),
      );
    },
  ],
  [
    'Postgres behind PgBouncer',
    ['postgres', 'pgbouncer'],
    async () => {
      const server = await startPostgres({ fsync: false });
      const pool = await startPgBouncer(await server.createDatabase());
      return closing(
        () => createPostgresRateLimiter({ url: pool.url, namedStatements: false, deadlineMs: 10_000 }),
        async () => {
          await pool.stop();
          await server.stop();
        },
      );
    },
  ],
];

function closing(create: () => SharedRateLimiter, stop: () => Promise<void>): Store {
  const open: SharedRateLimiter[] = [];
  return {
    resetVariesByMs: 0,
    instance() {
      const limiter = create();
      open.push(limiter);
      return limiter;
    },
    async close() {
      await Promise.all(open.map((limiter) => limiter.close()));
      await stop();
    },
  };
}

const atOnce = (count: number, limiter: RateLimiter, bucket: string, requests: number) =>
  Promise.all(Array.from({ length: count }, () => limiter.consume(bucket, limit(requests))));

for (const [name, needs, open] of stores) {
  describeWith(needs, `rate limits in ${name}`, () => {
    let store: Store;
    let limiter: RateLimiter;

    beforeAll(async () => {
      store = await open();
      limiter = store.instance();
    });
    afterAll(() => store.close());

    it('lets exactly the limit of many at once pass', async () => {
      const decisions = await atOnce(164, limiter, 'client:many', 100);
      const allowed = decisions.filter((decision) => decision.allowed);
      expect(allowed.map(({ remaining }) => remaining).sort((one, other) => other - one)).toEqual(
        Array.from({ length: 100 }, (_, index) => 99 - index),
      );
      for (const refused of decisions.filter((decision) => !decision.allowed)) {
        expect(refused).toEqual({ allowed: false, limit: 100, remaining: 0, resetAt: expect.any(Date) });
      }
    });

    it('gives one reset throughout a window, a minute after its first request', async () => {
      const before = Date.now();
      const decisions = await atOnce(20, limiter, 'client:reset', 100);
      decisions.push(...(await atOnce(20, store.instance(), 'client:reset', 100)));
      const resets = decisions.map((decision) => decision.resetAt.getTime());
      const resetAt = Math.min(...resets);
      expect(Math.max(...resets) - resetAt).toBeLessThanOrEqual(store.resetVariesByMs);
      // The store is on this machine and has its clock; the database's is a little coarser.
      expect(resetAt).toBeGreaterThanOrEqual(before + 59_998);
      expect(resetAt).toBeLessThanOrEqual(Date.now() + 60_000);
    });

    it('counts each bucket for itself', async () => {
      const odd = `address:2001:db8::/64 'quoted" \u{1f5dd} {braces}`;
      await limiter.consume(odd, limit(1));
      expect((await limiter.consume(odd, limit(1))).allowed).toBe(false);
      expect((await limiter.consume('client:b', limit(1))).allowed).toBe(true);
    });

    it('begins a new window, with a count of its own, once the last has ended', async () => {
      const first = await limiter.consume('client:window', limit(2, 1));
      await limiter.consume('client:window', limit(2, 1));
      let next = await limiter.consume('client:window', limit(2, 1));
      expect(next).toMatchObject({ allowed: false, limit: 2, remaining: 0 });
      while (!next.allowed) next = await limiter.consume('client:window', limit(2, 1));
      expect(next.remaining).toBe(1);
      expect(next.resetAt.getTime()).toBeGreaterThanOrEqual(
        first.resetAt.getTime() + 1_000 - store.resetVariesByMs,
      );
    });

    it('keeps the count of a client whose plan changes within a window', async () => {
      await atOnce(100, limiter, 'client:plan', 500);
      const refused = { allowed: false, limit: 100, remaining: 0 };
      expect(await limiter.consume('client:plan', limit(100))).toMatchObject(refused);
      expect(await limiter.consume('client:plan', limit(500))).toMatchObject({ allowed: true, remaining: 398 });
    });

    it('is one limit for several instances', async () => {
      const instances = Array.from({ length: 4 }, () => store.instance());
      const decisions = await Promise.all(instances.map((each) => atOnce(50, each, 'client:shared', 100)));
      expect(decisions.map((own) => own.length)).toEqual([50, 50, 50, 50]);
      expect(decisions.flat().filter(({ allowed }) => allowed)).toHaveLength(100);
    });
  });
}
