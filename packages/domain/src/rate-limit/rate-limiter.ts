/** How many requests a bucket takes in one window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Requests allowed in the window. */
  readonly limit: number;
  /** Requests left in the window, never below 0. */
  readonly remaining: number;
  /** When the window ends and a new one may begin. */
  readonly resetAt: Date;
}

/** Counts requests in fixed windows, each of which begins with its first request. */
export interface RateLimiter {
  /**
   * Counts one request. Of any number of calls at once for a bucket, exactly `limit.requests` a window are allowed.
   * Never rejects because a shared store is down: an adapter that has one then counts locally.
   */
  consume(bucket: string, limit: RateLimit): Promise<RateLimitDecision>;
}
