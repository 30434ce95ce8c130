import type { RateLimiter } from '@countersign/domain';

/**
 * A rate limiter whose counts several instances share. Unlike the port, its `consume` rejects when the store is down:
 * see `createFailoverRateLimiter`.
 */
export interface SharedRateLimiter extends RateLimiter {
  /** Resolves if the store can count now, and not only answer. Rejects with the fault. */
  ping(): Promise<void>;
  /** Ends the connections. Calls that are still running may reject. */
  close(): Promise<void>;
}

/** The window of `ping`, which counts like a request but in a separate bucket. */
export const PING = { bucket: 'ping', limit: { requests: 1, windowSeconds: 60 } } as const;

/**
 * Describes in one line why a store does not count. An error of a client library can contain the failed command with a
 * password or a request's data, so only its code and message are used.
 */
export function storeFault(store: 'Redis' | 'Postgres', error: unknown): Error {
  return new Error(`${store} does not count requests: ${reason(error)}`);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = error as { code?: unknown };
  // An AggregateError, one error for each address of the host, has no message.
  const [line = ''] = error.message.split('\n');
  if (typeof code !== 'string' || line.includes(code)) return line || error.name;
  return line === '' ? code : `${line} (${code})`;
}
