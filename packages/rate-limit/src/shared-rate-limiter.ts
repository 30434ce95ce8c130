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

/** The window of `ping`, which counts like a request, in its own bucket. */
export const PING = { bucket: 'ping', limit: { requests: 1, windowSeconds: 60 } } as const;

/**
 * Why a store does not count, in one line. The error of a client library can carry the command that failed, and so a
 * password or a request's data: only its code and message are taken over.
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
