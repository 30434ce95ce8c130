import type { Clock } from '../runtime.ts';
import type { Throttled } from '../staff/accounts.ts';

/**
 * Remembers how long sessions must wait that had too many wrong attempts. Until then, an attempt is refused without
 * another line of its own before it: a flood of attempts must not fill the audit log.
 */
export interface Waits {
  /** Returns the rest of a wait; null if there is none. */
  left(key: string): Throttled | null;
  begin(key: string, throttled: Throttled): void;
}

export function createWaits(clock: Clock): Waits {
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
