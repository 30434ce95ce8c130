import type { RateLimiter } from '@countersign/domain';

/**
 * Counts in a store that several instances share. Unlike what the port promises, `consume` rejects when the store is
 * down: see `createFailoverRateLimiter`.
 */
export interface SharedRateLimiter extends RateLimiter {
  /** Resolves if the store counts at this moment, which is more than that it answers. Rejects with the fault. */
  ping(): Promise<void>;
  /** Ends the connections. Calls that are still running may reject. */
  close(): Promise<void>;
}

/** The window of `ping`, which counts like a request, in a bucket of its own. */
export const PING = { bucket: 'ping', limit: { requests: 1, windowSeconds: 60 } } as const;
