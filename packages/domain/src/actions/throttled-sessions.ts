import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import type { Clock } from '../runtime.ts';
import type { Throttled } from '../staff/sign-in-outcome.ts';

export interface Outcome {
  readonly outcome: string;
}

/**
 * Remembers until when a session with too many wrong attempts must wait. Earlier attempts are refused without an entry
 * `allowed` before them, so that a flood of attempts does not fill the audit log.
 */
export interface ThrottledSessions {
  /** Runs an attempt of the session that the key names. While the session must wait, records a refusal and returns the wait. */
  run<R extends Outcome>(
    session: { readonly key: string; readonly attempt: Attempt },
    run: () => Promise<R>,
  ): Promise<R | Throttled>;
}

export function createThrottledSessions(
  clock: Clock,
  recorder: Pick<AuditRecorder, 'refused'>,
): ThrottledSessions {
  const ends = new Map<string, number>();

  function secondsUntil(end: number): number {
    return Math.ceil((end - clock.now().getTime()) / 1_000);
  }

  return {
    async run({ key, attempt }, run) {
      const retryAfterSeconds = secondsUntil(ends.get(key) ?? 0);
      if (retryAfterSeconds > 0) {
        await recorder.refused(attempt, 'RATE_LIMIT_EXCEEDED');
        return { outcome: 'throttled', retryAfterSeconds };
      }
      const outcome = await run();
      if (isThrottled(outcome)) {
        for (const [ended, end] of ends) if (secondsUntil(end) <= 0) ends.delete(ended);
        ends.set(key, clock.now().getTime() + outcome.retryAfterSeconds * 1_000);
      }
      return outcome;
    },
  };
}

function isThrottled(outcome: Outcome | Throttled): outcome is Throttled {
  return outcome.outcome === 'throttled';
}
