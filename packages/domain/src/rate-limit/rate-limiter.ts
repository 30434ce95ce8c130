/** Requests that a bucket allows in one window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Whether a request is allowed, and what is left of its window. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests left in the window, never below 0. */
  readonly remaining: number;
  /** End of the window. */
  readonly resetAt: Date;
}

/** Counts requests in fixed windows. A window begins with its first request. */
export interface RateLimiter {
  /**
   * Counts one request, a refused one too. If a shared store is down, an adapter counts locally instead of rejecting.
   *
   * Concurrency: of all calls for a bucket in one window, exactly `limit.requests` win; the others receive `allowed: false`.
   */
  consume(bucket: string, limit: RateLimit): Promise<RateLimitDecision>;
  /**
   * Takes one counted request of the running window back, refused or not, for an attempt that was not wrong. Changes nothing
   * without a running window or when its count is 0. If a shared store is down, an adapter changes its local count.
   *
   * Concurrency: of all calls for a bucket, at most as many as its count have an effect; the others change nothing.
   */
  giveBack(bucket: string): Promise<void>;
}
