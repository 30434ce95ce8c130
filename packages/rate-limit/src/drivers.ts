import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';
import type postgres from 'postgres';
import type { RateLimiterRedis } from 'rate-limiter-flexible';

const require = createRequire(import.meta.url);

// Loaded on first use: ioredis and postgres together take 96 ms and 32 MB (measured on Node 24.21), which a server without a shared
// store should not pay.

export function redisDriver(): typeof Redis {
  return (require('ioredis') as typeof import('ioredis')).Redis;
}

export function postgresDriver(): typeof postgres {
  // A test runner may set the conditions of an ES module; then it is loaded as one.
  const loaded = require('postgres') as typeof postgres | { default: typeof postgres };
  return typeof loaded === 'function' ? loaded : loaded.default;
}

export function redisCounter(): typeof RateLimiterRedis {
  return (require('rate-limiter-flexible') as typeof import('rate-limiter-flexible')).RateLimiterRedis;
}
