import type { RateLimit, RateLimitDecision, RateLimiter } from '@countersign/domain';

/** The attempts that a limit counts. */
export interface Bucket {
  readonly name: string;
  readonly limit: RateLimit;
}

/** An attempt that was counted and is being checked. */
export interface RunningAttempt {
  readonly allowed: true;
  /** Takes the attempt back unless it counts. Must be called once. */
  end(counts: boolean): Promise<void>;
}

/**
 * Counts attempts while they are checked, so that guesses at the same moment cannot exceed a limit. An attempt that finds
 * its bucket full while others are being checked waits for them, because they may turn out to be right.
 */
export interface AttemptsInFlight {
  /** Counts an attempt. One that is refused is taken back: it was not checked, so it was not wrong. */
  begin(bucket: Bucket): Promise<RunningAttempt | (RateLimitDecision & { readonly allowed: false })>;
}

/**
 * An instance checks at most this part of a bucket's limit at the same time, so that a few instances together do not
 * fill it with right attempts.
 */
const PART_AT_ONCE = 1 / 3;

/** The attempts of one bucket in this process. */
interface Line {
  /** Resolves when the attempts that wait before the next one have been counted or refused. */
  last: Promise<unknown>;
  /** Attempts that are being checked. Each resolves when it has ended. */
  readonly running: Set<Promise<void>>;
  /** Attempts that wait or are being checked. */
  attempts: number;
}

export function createAttemptsInFlight(rateLimiter: RateLimiter): AttemptsInFlight {
  const lines = new Map<string, Line>();

  function leave(name: string, line: Line): void {
    line.attempts -= 1;
    if (line.attempts === 0) lines.delete(name);
  }

  /** Counts the attempt at the head of its line. */
  async function count({ name, limit }: Bucket, line: Line): Promise<RateLimitDecision> {
    const atOnce = Math.max(1, Math.floor(limit.requests * PART_AT_ONCE));
    for (;;) {
      while (line.running.size >= atOnce) await Promise.race(line.running);
      const running = [...line.running];
      const decision = await rateLimiter.consume(name, limit);
      if (decision.allowed) return decision;
      await rateLimiter.giveBack(name);
      if (running.length === 0) return decision;
      await Promise.race(running);
    }
  }

  function run({ name }: Bucket, line: Line): RunningAttempt {
    const ended = Promise.withResolvers<void>();
    line.running.add(ended.promise);
    return {
      allowed: true,
      async end(counts) {
        try {
          if (!counts) await rateLimiter.giveBack(name);
        } finally {
          line.running.delete(ended.promise);
          ended.resolve();
          leave(name, line);
        }
      },
    };
  }

  return {
    begin(bucket) {
      const { name } = bucket;
      const line = lines.get(name) ?? { last: Promise.resolve(), running: new Set(), attempts: 0 };
      lines.set(name, line);
      line.attempts += 1;
      const attempt = line.last.then(async () => {
        try {
          const decision = await count(bucket, line);
          if (decision.allowed) return run(bucket, line);
          leave(name, line);
          return { ...decision, allowed: false as const };
        } catch (fault) {
          leave(name, line);
          throw fault;
        }
      });
      line.last = attempt.catch(() => undefined);
      return attempt;
    },
  };
}
