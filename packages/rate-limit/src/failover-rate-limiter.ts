import type { RateLimit, RateLimitDecision, RateLimiter } from '@countersign/domain';
import { createLocalCounts } from './local-counts.ts';
import type { SharedRateLimiter } from './shared-rate-limiter.ts';
import { createStoreDownDetector, within } from './store-down-detector.ts';

/** Options of `createFailoverRateLimiter`. */
export interface FailoverRateLimiterOptions {
  readonly shared: SharedRateLimiter;
  /** Called once when an outage begins, with its first fault. Must not throw. */
  readonly onDown: (fault: Error) => void;
  /** Called once when the shared store counts again. Must not throw. */
  readonly onUp: () => void;
  /** Milliseconds without an answer to any waiting request, after which the shared store is down. Default: 300. */
  readonly deadlineMs?: number;
  /**
   * Maximum milliseconds that a request waits for a store that answers others. Then the store counts as down. Default:
   * 1,000.
   */
  readonly longestWaitMs?: number;
  /** Milliseconds between two checks of a store that is down. Default: 500. */
  readonly probeMs?: number;
}

/** A rate limiter that counts in the shared store, and in this process while that store is down. */
export interface FailoverRateLimiter extends RateLimiter {
  /** Resolves within two seconds, when it is known whether the shared store is up. */
  ready(): Promise<void>;
  /** Stops checking, and closes the shared limiter. */
  close(): Promise<void>;
}

/** The first connection may take longer than a request. */
const START_WITHIN_MS = 2_000;

/**
 * Counts in the shared store while it is up, otherwise in this process. During an outage no request waits for the
 * store; a background check notices when it is up again.
 *
 * The local count of a bucket starts from the highest count that the store returned in the current window, late answers
 * included. It does not include requests that other instances allow during the outage.
 *
 * @example
 * const limiter = createFailoverRateLimiter({
 *   shared: createRedisRateLimiter({ url: 'redis://127.0.0.1:6379' }),
 *   onDown: (fault) => console.warn('Redis is down, each instance counts by itself', fault),
 *   onUp: () => console.info('Redis is back'),
 * });
 * await limiter.ready();
 * await limiter.consume('client:acme', { requests: 100, windowSeconds: 60 });
 */
export function createFailoverRateLimiter({
  shared,
  onDown,
  onUp,
  deadlineMs = 300,
  longestWaitMs = 1_000,
  probeMs = 500,
}: FailoverRateLimiterOptions): FailoverRateLimiter {
  const local = createLocalCounts();
  let state: 'starting' | 'up' | 'down' | 'closed' = 'starting';
  /** Number of outages so far. A request that began before the latest outage cannot begin another. */
  let outages = 0;
  let probe: NodeJS.Timeout | undefined;
  const whileItAnswers = createStoreDownDetector({ silenceMs: deadlineMs, longestMs: longestWaitMs });

  function fail(fault: Error): void {
    state = 'down';
    outages += 1;
    probeLater();
    onDown(fault);
  }

  function probeLater(): void {
    probe = setTimeout(() => {
      within(deadlineMs, shared.ping()).then(
        () => {
          if (state !== 'down') return;
          state = 'up';
          onUp();
        },
        () => {
          if (state === 'down') probeLater();
        },
      );
    }, probeMs);
    probe.unref();
  }

  /** Also takes over counts from answers that arrive too late for their request. */
  async function observed(bucket: string, limit: RateLimit): Promise<RateLimitDecision> {
    const decision = await shared.consume(bucket, limit);
    local.observe(bucket, decision);
    return decision;
  }

  const started = within(START_WITHIN_MS, shared.ping()).then(
    () => {
      if (state === 'starting') state = 'up';
    },
    (fault: Error) => {
      if (state === 'starting') fail(fault);
    },
  );

  /** Asks the shared store while it is up. Returns null when it does not answer. */
  async function askShared<T>(ask: () => Promise<T>): Promise<{ readonly answer: T } | null> {
    if (state === 'starting') await within(deadlineMs, started).catch(() => undefined);
    if (state !== 'up') return null;
    const before = outages;
    try {
      return { answer: await whileItAnswers(ask()) };
    } catch (fault) {
      if (state === 'up' && outages === before) fail(fault as Error);
      return null;
    }
  }

  return {
    async consume(bucket, limit) {
      const shared = await askShared(() => observed(bucket, limit));
      return shared === null ? local.consume(bucket, limit) : shared.answer;
    },
    async giveBack(bucket) {
      local.giveBack(bucket);
      await askShared(() => shared.giveBack(bucket));
    },
    ready: () => started,
    async close() {
      state = 'closed';
      clearTimeout(probe);
      await shared.close();
    },
  };
}
