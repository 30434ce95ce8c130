import { type RateLimiterSubject, rateLimiterContract } from '@countersign/storage-contract';
import { describeWith, startPgBouncer, startPostgres, startRedis } from '@countersign/test-support/servers';
import { afterAll, beforeAll } from 'vitest';
import {
  createFailoverRateLimiter,
  createMemoryRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from './index.ts';

/** Limiters that share a server. Each case has its own buckets. */
function sharing(create: () => SharedRateLimiter): RateLimiterSubject {
  const open: SharedRateLimiter[] = [];
  return {
    instance() {
      const limiter = create();
      open.push(limiter);
      return limiter;
    },
    close: async () => void (await Promise.all(open.map((limiter) => limiter.close()))),
  };
}

rateLimiterContract('memory rate limiter', async () => {
  const only = createMemoryRateLimiter();
  return { instance: () => only };
});

describeWith(['redis'], 'with a server of Redis', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let cases = 0;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  rateLimiterContract('Redis rate limiter', async () => {
    cases += 1;
    const keyPrefix = `contract-${process.pid}-${performance.now()}-${cases}`;
    return sharing(() => createRedisRateLimiter({ url: server.url, keyPrefix, deadlineMs: 10_000 }));
  });

  rateLimiterContract('failover rate limiter while its store is up', async () => {
    cases += 1;
    const keyPrefix = `failover-${process.pid}-${performance.now()}-${cases}`;
    return sharing(() => ({
      ...createFailoverRateLimiter({
        shared: createRedisRateLimiter({ url: server.url, keyPrefix, deadlineMs: 10_000 }),
        onDown: () => undefined,
        onUp: () => undefined,
        deadlineMs: 10_000,
        longestWaitMs: 10_000,
      }),
      ping: async () => undefined,
    }));
  });
});

rateLimiterContract('failover rate limiter while its store is down', async () => {
  const down = () => Promise.reject(new Error('down'));
  const limiter = createFailoverRateLimiter({
    shared: { consume: down, giveBack: down, ping: down, close: async () => undefined },
    onDown: () => undefined,
    onUp: () => undefined,
  });
  return { instance: () => limiter, close: () => limiter.close() };
});

describeWith(['postgres'], 'with a server of Postgres', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  rateLimiterContract('Postgres rate limiter', async () => {
    const url = await server.createDatabase();
    return sharing(() => createPostgresRateLimiter({ url, deadlineMs: 10_000 }));
  });

  describeWith(['pgbouncer'], 'behind PgBouncer', () => {
    rateLimiterContract('Postgres rate limiter behind PgBouncer', async () => {
      const pool = await startPgBouncer(await server.createDatabase());
      const subject = sharing(() =>
        createPostgresRateLimiter({ url: pool.url, namedStatements: false, deadlineMs: 10_000 }),
      );
      const close = async () => {
        await subject.close?.();
        await pool.stop();
      };
      return { ...subject, close };
    });
  });
});
