// Waits until calls to stopped servers reach their deadline.
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres, startRedis } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createFailoverRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type FailoverRateLimiter,
  type SharedRateLimiter,
} from './index.ts';

const DEADLINE_MS = 300;
const limit = (requests: number) => ({ requests, windowSeconds: 60 });

interface Server {
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  limiter(): SharedRateLimiter;
}

async function redis(): Promise<Server> {
  const server = await startRedis({ own: true });
  return {
    freeze: server.freeze,
    thaw: server.thaw,
    kill: server.stop,
    start: server.start,
    stop: server.stop,
    limiter: () => createRedisRateLimiter({ url: server.url }),
  };
}

async function postgres(): Promise<Server> {
  const server = await startPostgres({ own: true, fsync: false });
  const url = await server.createDatabase();
  return {
    freeze: server.freeze,
    thaw: server.thaw,
    kill: server.kill,
    start: server.restart,
    stop: server.stop,
    limiter: () => createPostgresRateLimiter({ url }),
  };
}

for (const [name, needs, open] of [
  ['Redis', 'redis', redis],
  ['Postgres', 'postgres', postgres],
] as const) {
  describeWith([needs], `an outage of ${name}`, () => {
    let server: Server;
    const reports: string[] = [];
    const instances: FailoverRateLimiter[] = [];

    beforeAll(async () => {
      server = await open();
    });
    afterAll(async () => {
      await Promise.all(instances.map((instance) => instance.close()));
      await server.stop();
    });

    function instance(shared: SharedRateLimiter): FailoverRateLimiter {
      const limiter = createFailoverRateLimiter({
        shared,
        deadlineMs: DEADLINE_MS,
        onDown: (fault) => reports.push(fault.message),
        onUp: () => reports.push('up'),
      });
      instances.push(limiter);
      return limiter;
    }

    it.each([
      ['frozen', async () => server.freeze(), async () => server.thaw()],
      ['killed', () => server.kill(), () => server.start()],
    ])(
      '%s under load: no request waits longer than the deadline, one count decides, and the store counts again afterwards',
      async (how, take, give) => {
        reports.length = 0;
        const limiter = instance(server.limiter());
        await limiter.ready();
        const bucket = `client:${how}`;
        expect((await limiter.consume(bucket, limit(1_000))).remaining).toBe(999);
        expect((await limiter.consume(bucket, limit(1_000))).remaining).toBe(998);

        await take();
        const crowd = async () => {
          const began = performance.now();
          const ask = () => limiter.consume(bucket, limit(100));
          const decisions = await Promise.all(Array.from({ length: 64 }, ask));
          return { allowed: decisions.filter(({ allowed }) => allowed).length, took: performance.now() - began };
        };
        const first = await crowd();
        const later = [await crowd(), await crowd(), await crowd()];
        // The store had allowed two of the hundred before.
        expect([first, ...later].reduce((sum, { allowed }) => sum + allowed, 0)).toBe(98);
        expect(reports).toHaveLength(1);
        expect(reports[0]).toMatch(/does not count requests|no answer within/);
        // A busy machine adds to the deadline. Later requests do not wait for the store.
        expect(first.took).toBeLessThan(DEADLINE_MS + 20_000);
        expect(Math.min(...later.map(({ took }) => took))).toBeLessThan(DEADLINE_MS);
        // Long enough for two checks of the store.
        const frozenAt = performance.now();
        await until(() => performance.now() - frozenAt > 1_500);

        await give();
        await until(() => reports.at(-1) === 'up');
        expect(reports).toHaveLength(2);
        const another = instance(server.limiter());
        await another.ready();
        const { remaining } = await limiter.consume(bucket, limit(1_000));
        expect((await another.consume(bucket, limit(1_000))).remaining).toBe(remaining - 1);
      },
    );

    it('down at the start: the limiter counts locally, and in the store when it is up', async () => {
      await server.kill();
      reports.length = 0;
      const limiter = instance(server.limiter());
      await limiter.ready();
      expect((await limiter.consume('client:early', limit(5))).remaining).toBe(4);
      expect(reports).toHaveLength(1);
      await server.start();
      await until(() => reports.at(-1) === 'up');
    });
  });
}
