import type { RateLimiter } from '@countersign/domain';
import { createPatience } from './patience.ts';
import type { SharedRateLimiter } from './shared-rate-limiter.ts';
import { within } from './within.ts';

export interface FailoverRateLimiterOptions {
  readonly shared: SharedRateLimiter;
  /** Decides while the shared one is down. Its counts begin anew then, and are each instance's own. */
  readonly local: RateLimiter;
  /** Called once when an outage begins, with its first fault. Must not throw. */
  readonly onDown: (fault: Error) => void;
  /** Called once when the shared store counts again. Must not throw. */
  readonly onUp: () => void;
  /** Milliseconds for which the shared store is silent, to all requests that wait for it: then it is down. Default: 300. */
  readonly deadlineMs?: number;
  /** Milliseconds a request waits at most for a store that answers others: then it is down too. Default: 1,000. */
  readonly longestWaitMs?: number;
  /** Milliseconds between two looks whether it is back. Default: 500. */
  readonly probeMs?: number;
}

export interface FailoverRateLimiter extends RateLimiter {
  /** Resolves when it is known whether the shared store is up; within two seconds. */
  ready(): Promise<void>;
  /** Stops looking, and closes the shared limiter. */
  close(): Promise<void>;
}

/** To connect for the first time may take longer than to count. */
const START_WITHIN_MS = 2_000;

/**
 * Counts in the shared store while that is up, else locally. During an outage no request waits for the store: a look
 * at it in the background, not a client's request, finds its return.
 */
export function createFailoverRateLimiter({
  shared,
  local,
  onDown,
  onUp,
  deadlineMs = 300,
  longestWaitMs = 1_000,
  probeMs = 500,
}: FailoverRateLimiterOptions): FailoverRateLimiter {
  let state: 'starting' | 'up' | 'down' | 'closed' = 'starting';
  /** How many outages have begun. A request that failed in one says nothing about the time after it. */
  let outages = 0;
  let probe: NodeJS.Timeout | undefined;
  const whileItAnswers = createPatience({ silenceMs: deadlineMs, longestMs: longestWaitMs });

  function fail(fault: Error): void {
    state = 'down';
    outages += 1;
    probeLater();
    onDown(fault);
  }

  function probeLater(): void {
    probe = setTimeout(() => {
      within(deadlineMs, shared.ping()).then(
        () => {
          if (state !== 'down') return;
          state = 'up';
          onUp();
        },
        () => {
          if (state === 'down') probeLater();
        },
      );
    }, probeMs);
    probe.unref();
  }

  const started = within(START_WITHIN_MS, shared.ping()).then(
    () => {
      if (state === 'starting') state = 'up';
    },
    (fault: Error) => {
      if (state === 'starting') fail(fault);
    },
  );

  return {
    async consume(bucket, limit) {
      if (state === 'starting') await within(deadlineMs, started).catch(() => undefined);
      if (state === 'up') {
        const before = outages;
        try {
          return await whileItAnswers(shared.consume(bucket, limit));
        } catch (fault) {
          if (state === 'up' && outages === before) fail(fault as Error);
        }
      }
      return local.consume(bucket, limit);
    },
    ready: () => started,
    async close() {
      state = 'closed';
      clearTimeout(probe);
      await shared.close();
    },
  };
}
