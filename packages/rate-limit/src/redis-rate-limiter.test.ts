import { describeWith, type RedisServer, startRedis } from '@countersign/test-support/servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisRateLimiter, type SharedRateLimiter } from './index.ts';

const LIMIT = { requests: 100, windowSeconds: 60 };

describeWith(['redis'], 'rate limits in Redis', () => {
  let server: RedisServer;
  const open: SharedRateLimiter[] = [];

  beforeAll(async () => {
    server = await startRedis({ settings: { requirepass: 'p@ss/word' } });
  });
  afterAll(async () => {
    await Promise.all(open.map((limiter) => limiter.close()));
    await server.stop();
  });

  const limiterAt = (url: string) => {
    const limiter = createRedisRateLimiter({ url });
    open.push(limiter);
    return limiter;
  };

  it('signs in, counts in the database of the URL, and its keys expire with their window', async () => {
    await limiterAt(`${server.url}/3`).consume('client:a', LIMIT);
    const look = new Redis(`${server.url}/3`);
    expect(await look.keys('*')).toEqual(['countersign:rate-limit:client:a']);
    const left = await look.pttl('countersign:rate-limit:client:a');
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
    await look.quit();
  });

  it('an error is one line without the password', async () => {
    const url = new URL(server.url);
    url.password = 'very-wrong';
    const fault = await limiterAt(url.href)
      .consume('client:a', LIMIT)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({
      message: expect.stringMatching(/^Redis does not count requests: WRONGPASS [^\n]*$/),
    });
    expect(JSON.stringify([fault, Object.entries(fault as object)])).not.toContain('very-wrong');
  });

  it('uses TLS for a rediss:// URL', async () => {
    const url = server.url.replace('redis:', 'rediss:');
    await expect(limiterAt(url).ping()).rejects.toThrow(/^Redis does not count requests: .*(?:TIMEDOUT|SSL|TLS)/);
  });
});

describe('without a Redis', () => {
  it('consume rejects soon on every call, and the process continues', async () => {
    const limiter = createRedisRateLimiter({ url: 'redis://127.0.0.1:1' });
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(limiter.consume('client:a', LIMIT)).rejects.toThrow(/ECONNREFUSED/);
    }
    await limiter.close();
  });

  it.each(['', 'localhost:6379', 'http://localhost', 'redis://', 'redis://user:hidden@host:port'])(
    'refuses the URL %j without repeating it in the error',
    (url) => {
      expect(() => createRedisRateLimiter({ url })).toThrow(
        new TypeError('the URL of Redis must begin with redis:// or rediss://'),
      );
    },
  );
});
