import type { RateLimit, RateLimitDecision } from '@countersign/domain';

/** Counts requests in this process, beginning with the counts that a shared store has returned. */
export interface LocalCounts {
  /** Takes over the count of a bucket from a decision. A count never goes down within a window. */
  observe(bucket: string, decision: RateLimitDecision): void;
  /** Counts one request. */
  consume(bucket: string, limit: RateLimit): RateLimitDecision;
  /** Takes one request of the running window back. */
  giveBack(bucket: string): void;
  /** Number of buckets in memory. */
  size(): number;
}

interface Window {
  count: number;
  readonly resetAt: Date;
}

/** Milliseconds between two deletions of the windows that have ended. */
const DELETE_EVERY_MS = 60_000;

export function createLocalCounts(): LocalCounts {
  const windows = new Map<string, Window>();
  let deletedAt = Date.now();

  function runningWindow(bucket: string): Window | undefined {
    const now = Date.now();
    // The difference is negative after the clock was set back.
    if (Math.abs(now - deletedAt) >= DELETE_EVERY_MS) {
      deletedAt = now;
      for (const [ended, { resetAt }] of windows) if (resetAt.getTime() <= now) windows.delete(ended);
    }
    const window = windows.get(bucket);
    return window !== undefined && window.resetAt.getTime() > now ? window : undefined;
  }

  function begin(bucket: string, window: Window): Window {
    windows.set(bucket, window);
    return window;
  }

  return {
    observe(bucket, { limit, remaining, resetAt }) {
      const window = runningWindow(bucket);
      // A refused request says only that the limit was reached.
      const count = limit - remaining;
      if (window === undefined) begin(bucket, { count, resetAt });
      else window.count = Math.max(window.count, count);
    },

    consume(bucket, limit) {
      const window =
        runningWindow(bucket) ??
        begin(bucket, { count: 0, resetAt: new Date(Date.now() + limit.windowSeconds * 1_000) });
      window.count += 1;
      return decide(window.count, limit, window.resetAt);
    },

    giveBack(bucket) {
      const window = runningWindow(bucket);
      if (window !== undefined) window.count = Math.max(0, window.count - 1);
    },

    size: () => windows.size,
  };
}

/**
 * Returns the decision for a bucket's count. Limit and window come from the request, not from the counter, so that a
 * client whose plan changes keeps its count.
 */
export function decide(count: number, { requests }: RateLimit, resetAt: Date): RateLimitDecision {
  return { allowed: count <= requests, limit: requests, remaining: Math.max(0, requests - count), resetAt };
}
