import { redisCounter } from './drivers.ts';
import { decide } from './local-counts.ts';
import { connectRedis } from './redis-connection.ts';
import { PING, type SharedRateLimiter } from './shared-rate-limiter.ts';

/** Options of `createRedisRateLimiter`. */
export interface RedisRateLimiterOptions {
  /** `redis://` or, with TLS, `rediss://`, with user, password and database number as needed. Redis 6.2 or newer. */
  readonly url: string;
  /** Prefix of its keys. Default: `countersign:rate-limit`. */
  readonly keyPrefix?: string;
  /** Milliseconds after which a command fails. Default: 1,000. */
  readonly deadlineMs?: number;
}

/**
 * KEYS[1] is the bucket, ARGV[1] the number of requests to count, ARGV[2] the length of a new window in seconds. A
 * negative number takes requests of a running window back; its count never falls below 0.
 * Returns the count and the window's end in Unix milliseconds, by the clock of Redis, which all instances share. The
 * end is the same throughout the window.
 */
const COUNT = `
if tonumber(ARGV[1]) < 0 and tonumber(redis.call('hget', KEYS[1], 'count') or '0') < -ARGV[1] then
  return { 0, 0 }
end
local count = redis.call('hincrby', KEYS[1], 'count', ARGV[1])
local ends = redis.call('hget', KEYS[1], 'ends')
if not ends then
  local time = redis.call('time')
  ends = string.format('%.0f', (time[1] + ARGV[2]) * 1000 + math.floor(time[2] / 1000))
  redis.call('hset', KEYS[1], 'ends', ends)
  redis.call('pexpireat', KEYS[1], ends)
end
return { count, tonumber(ends) }
`;

/**
 * Counts in Redis for any number of instances, with one script in one round trip for each request.
 *
 * @throws {TypeError} if the URL is not a Redis URL. An unreachable server makes each call reject instead.
 *
 * @example
 * const limiter = createRedisRateLimiter({ url: 'redis://127.0.0.1:6379' });
 * await limiter.consume('client:acme', { requests: 100, windowSeconds: 60 });
 */
export function createRedisRateLimiter({
  url,
  keyPrefix = 'countersign:rate-limit',
  deadlineMs = 1_000,
}: RedisRateLimiterOptions): SharedRateLimiter {
  const connection = connectRedis(url, deadlineMs);
  const counter = new (redisCounter())({
    storeClient: connection.client,
    keyPrefix,
    points: Number.MAX_SAFE_INTEGER,
    duration: 0,
    customIncrTtlLuaScript: COUNT,
  });

  const consume: SharedRateLimiter['consume'] = (bucket, limit) =>
    connection.run(async () => {
      // The script returns the end of the window, where the library expects the time until then.
      const { consumedPoints, msBeforeNext: endsAt } = await counter.consume(bucket, 1, {
        customDuration: limit.windowSeconds,
      });
      return decide(consumedPoints, limit, new Date(endsAt));
    });

  return {
    consume,
    giveBack: (bucket) =>
      connection.run(async () => {
        // The library ignores windows without a length; a running window keeps its own.
        await counter.reward(bucket, 1, { customDuration: 1 });
      }),
    async ping() {
      await consume(PING.bucket, PING.limit);
    },
    close: connection.close,
  };
}
