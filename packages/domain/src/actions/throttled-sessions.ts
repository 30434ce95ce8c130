import type { Clock } from '../runtime.ts';
import type { Throttled } from '../staff/sign-in-outcome.ts';

/**
 * Remembers until when a session with too many wrong attempts must wait. Earlier attempts are refused without an entry
 * `allowed` before them, so that a flood of attempts does not fill the audit log.
 */
export interface ThrottledSessions {
  /** Returns how long the session must still wait; null if it need not wait. */
  left(key: string): Throttled | null;
  begin(key: string, throttled: Throttled): void;
}

export function createThrottledSessions(clock: Clock): ThrottledSessions {
  const ends = new Map<string, number>();

  function secondsUntil(end: number): number {
    return Math.ceil((end - clock.now().getTime()) / 1_000);
  }

  return {
    left(key) {
      const retryAfterSeconds = secondsUntil(ends.get(key) ?? 0);
      return retryAfterSeconds > 0 ? { outcome: 'throttled', retryAfterSeconds } : null;
    },
    begin(key, { retryAfterSeconds }) {
      for (const [ended, end] of ends) if (secondsUntil(end) <= 0) ends.delete(ended);
      ends.set(key, clock.now().getTime() + retryAfterSeconds * 1_000);
    },
  };
}
