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
  /** Whether the store that instances share is down, so that this one counts for itself. */
  isDown(): boolean;
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
  if (store === undefined) {
    return { rateLimiter: createMemoryRateLimiter(), isDown: () => false, close: () => Promise.resolve() };
  }

  const { name, shared } = store;
  let isDown = false;
  const counted = metrics?.begin('sharedRateLimits');
  counted?.isUp.set(1);
  const rateLimiter = createFailoverRateLimiter({
    shared,
    onDown(fault) {
      isDown = true;
      log.warning('shared rate limits are down, counting locally', { store: name, reason: fault.message });
      counted?.isUp.set(0);
      counted?.switches.inc({ to: 'local' });
    },
    onUp() {
      isDown = false;
      log.event('shared rate limits are back', { store: name });
      counted?.isUp.set(1);
      counted?.switches.inc({ to: 'shared' });
    },
  });
  await rateLimiter.ready();
  return { rateLimiter, isDown: () => isDown, close: () => rateLimiter.close() };
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
