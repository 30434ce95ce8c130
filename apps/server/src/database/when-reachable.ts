import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresOpenError } from '@countersign/storage-postgres';

/** How often a database that does not answer is tried again. */
const RETRY_MS = 500;

/** How long to wait for a database, and the time of this machine. */
export interface RetryTime {
  readonly waitMs: number;
  /** Milliseconds that only increase. */
  now?(): number;
  pause?(milliseconds: number): Promise<unknown>;
}

/**
 * Runs work on a Postgres that may still be starting, for example after a boot: tries again while it cannot be reached.
 * @throws the error of the last try; every other error immediately
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  { waitMs, now = () => performance.now(), pause = sleep }: RetryTime,
): Promise<T> {
  const until = now() + waitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isReachable = !(error instanceof PostgresOpenError) || error.code !== 'unreachable';
      if (isReachable || now() + RETRY_MS > until) throw error;
      await pause(RETRY_MS);
    }
  }
}
