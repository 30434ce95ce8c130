import type { AppendFact } from '../audit/append-fact.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { type BulkReading, READING_LIMITS } from '../staff/reading-limits.ts';
import { LIST_LIMIT_DEFAULT } from '../verification/read-verifications.ts';
import type { CallerContext } from './caller.ts';

/** The alarm about a reviewer who reached one of `READING_LIMITS`. Nothing was refused. */
export const BULK_READING_ACTION: AuditAction = 'review.bulk_reading';

/** Counts what reviewers read, on all instances together, and raises an alarm at `READING_LIMITS`. Never rejects. */
export interface WatchReading {
  /** Counts an opened case, once within the window. */
  opened(caller: CallerContext, verificationId: string): Promise<void>;
  /** Counts a list of the queue as pages of `LIST_LIMIT_DEFAULT` rows, rounded up. */
  listed(caller: CallerContext, rows: number): Promise<void>;
  searched(caller: CallerContext): Promise<void>;
}

/** @param ports.onBulkReading called for each alarm, which the audit log gets too */
export function createWatchReading(ports: {
  readonly rateLimiter: Pick<RateLimiter, 'consume'>;
  readonly append: AppendFact;
  readonly onBulkReading: (read: BulkReading) => void;
  readonly onFault: (fault: unknown) => void;
}): WatchReading {
  const { rateLimiter, append, onBulkReading, onFault } = ports;

  async function count(read: BulkReading, { actor, from }: CallerContext): Promise<void> {
    const limit = READING_LIMITS[read];
    const { allowed, remaining } = await rateLimiter.consume(`reading:${read}:${actor.id}`, limit);
    // One call in the window reaches the limit exactly.
    if (!allowed || remaining > 0) return;
    onBulkReading(read);
    const detail = { read, limit: limit.requests, minutes: limit.windowSeconds / 60 };
    const about = { clientId: null, targetId: actor.id };
    await append({ actor, from, action: BULK_READING_ACTION, outcome: 'allowed', ...about, detail });
  }

  return {
    async opened(caller, verificationId) {
      const { windowSeconds } = READING_LIMITS.cases;
      const bucket = `reading:case:${caller.actor.id}:${verificationId}`;
      try {
        const { allowed: isFirst } = await rateLimiter.consume(bucket, { requests: 1, windowSeconds });
        if (isFirst) await count('cases', caller);
      } catch (fault) {
        onFault(fault);
      }
    },
    async listed(caller, rows) {
      try {
        for (let row = 0; row < rows; row += LIST_LIMIT_DEFAULT) await count('queue_pages', caller);
      } catch (fault) {
        onFault(fault);
      }
    },
    searched: (caller) => count('searches', caller).catch(onFault),
  };
}
