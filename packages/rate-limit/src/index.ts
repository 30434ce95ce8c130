export {
  createFailoverRateLimiter,
  type FailoverRateLimiter,
  type FailoverRateLimiterOptions,
} from './failover-rate-limiter.ts';
export { inspectRateLimitTable, type RateLimitTableFacts } from './inspect-postgres.ts';
export { inspectRedis, type RedisFacts } from './inspect-redis.ts';
export { createMemoryRateLimiter } from './memory-rate-limiter.ts';
export {
  createPostgresRateLimiter,
  createRateLimitTable,
  type PostgresRateLimiterOptions,
} from './postgres-rate-limiter.ts';
export { createRedisRateLimiter, type RedisRateLimiterOptions } from './redis-rate-limiter.ts';
export type { SharedRateLimiter } from './shared-rate-limiter.ts';
