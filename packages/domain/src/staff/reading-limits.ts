import type { RateLimit } from '../rate-limit/rate-limiter.ts';

/** Kinds of reading by a reviewer that can raise an alarm: opened cases, pages of the queue, and searches. */
export const BULK_READINGS = ['cases', 'queue_pages', 'searches'] as const;
/** What was read in bulk: one of `BULK_READINGS`. */
export type BulkReading = (typeof BULK_READINGS)[number];

const AN_HOUR_SECONDS = 60 * 60;

/**
 * How much a reviewer reads within an hour before it raises an alarm; nothing is refused. A fast reviewer decides 60 clean cases in an
 * hour, may return to the queue after each, and searches when someone asks. A case counts once within the hour, a page of the queue each
 * time that it shows the names on it.
 */
export const READING_LIMITS: Readonly<Record<BulkReading, RateLimit>> = {
  cases: { requests: 150, windowSeconds: AN_HOUR_SECONDS },
  queue_pages: { requests: 120, windowSeconds: AN_HOUR_SECONDS },
  searches: { requests: 60, windowSeconds: AN_HOUR_SECONDS },
};
