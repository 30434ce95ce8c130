import type { RateLimiter } from '@countersign/domain';
import {
  createFailoverRateLimiter,
  createMemoryRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from '@countersign/rate-limit';
import type { Database } from '../database/database.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** The rate limiter of a server. */
export interface RateLimiting {
  readonly rateLimiter: RateLimiter;
  close(): Promise<void>;
}

/**
 * Opens the rate limiter: in Redis if `REDIS_URL` is set, else in PostgreSQL, else in this process. When the shared
 * store is down, the server starts and counts locally until the store is back.
 */
export async function openRateLimiting(options: {
  readonly redisUrl: string | undefined;
  readonly database: Pick<Database, 'createRateLimiter'>;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}): Promise<RateLimiting> {
  const { log, metrics } = options;
  const store = sharedStore(options);
  if (store === undefined) return { rateLimiter: createMemoryRateLimiter(), close: () => Promise.resolve() };

  const { name, shared } = store;
  metrics?.sharedRateLimits.begin();
  const rateLimiter = createFailoverRateLimiter({
    shared,
    onDown(fault) {
      log.warning('shared rate limits are down, counting locally', { store: name, reason: fault.message });
      metrics?.sharedRateLimits.down();
    },
    onUp() {
      log.event('shared rate limits are back', { store: name });
      metrics?.sharedRateLimits.up();
    },
  });
  await rateLimiter.ready();
  return { rateLimiter, close: () => rateLimiter.close() };
}

function sharedStore({
  redisUrl,
  database,
}: {
  redisUrl: string | undefined;
  database: Pick<Database, 'createRateLimiter'>;
}): { name: 'redis' | 'postgres'; shared: SharedRateLimiter } | undefined {
  if (redisUrl !== undefined) return { name: 'redis', shared: createRedisRateLimiter({ url: redisUrl }) };
  const shared = database.createRateLimiter();
  return shared === undefined ? undefined : { name: 'postgres', shared };
}
