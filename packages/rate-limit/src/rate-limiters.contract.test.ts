import { type RateLimiterSubject, rateLimiterContract } from '@countersign/storage-contract';
import { describeWith, startPgBouncer, startPostgres, startRedis } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import {
  createFailoverRateLimiter,
  createMemoryRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from './index.ts';
import { TABLE } from './postgres-table.ts';

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
  let url: string;
  let raw: postgres.Sql;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
    raw = postgres(url, { max: 1, onnotice: () => undefined });
  });
  afterAll(async () => {
    await raw.end();
    await server.stop();
  });
  // One database, emptied before each case: creating one takes Postgres longer than the case.
  const empty = () => raw.unsafe(`DROP TABLE IF EXISTS ${TABLE}`);

  rateLimiterContract('Postgres rate limiter', async () => {
    await empty();
    return sharing(() => createPostgresRateLimiter({ url, deadlineMs: 10_000 }));
  });

  describeWith(['pgbouncer'], 'behind PgBouncer', () => {
    let pool: Awaited<ReturnType<typeof startPgBouncer>>;
    beforeAll(async () => {
      pool = await startPgBouncer(url);
    });
    afterAll(() => pool.stop());

    rateLimiterContract('Postgres rate limiter behind PgBouncer', async () => {
      await empty();
      return sharing(() =>
        createPostgresRateLimiter({ url: pool.url, namedStatements: false, deadlineMs: 10_000 }),
      );
    });
  });
});
