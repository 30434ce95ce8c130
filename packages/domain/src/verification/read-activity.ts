import type { Clock } from '../runtime.ts';
import { createdByDay, daysIn, lastDays } from './read-usage.ts';
import { rememberReview } from './remember-review.ts';
import type { DayActivity } from './review-activity.ts';
import { statusCounts } from './status.ts';
import { dayText, totalOf } from './verification-counts.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** How many verifications were created, submitted and decided. */
export interface ActivityFigures {
  /** Requested, in any status now. */
  readonly created: number;
  /** Submitted last: one that the subject submitted again counts once, on the later day. */
  readonly submitted: number;
  /** Approved by a reviewer. */
  readonly approved: number;
  /** Rejected by a reviewer. Withdrawn and expired verifications count as neither. */
  readonly rejected: number;
}

/** One day of a client. */
export interface ActivityDay extends ActivityFigures {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  /** Median time from the last submission to a reviewer's decision, in ms, of the day's decisions; null without any. */
  readonly medianMs: number | null;
  /**
   * Verifications that waited for a reviewer when the day ended, or wait now. Each counts from its last submission, the only one
   * that is stored: a verification that was sent back to its subject is missing from earlier days.
   */
  readonly waiting: number;
}

/** What became of a client's verifications in its last 30 days, and what waits. Erased verifications count as before. */
export interface ActivityReport {
  /** The last 30 days in UTC, today last, those without any included. */
  readonly days: readonly ActivityDay[];
  /** The sums of these days. */
  readonly totals: ActivityFigures;
  /**
   * Median time from the last submission to a reviewer's decision, in ms, of the decisions in these days; null without any. Of
   * an even number it is the lower of the two in the middle.
   */
  readonly medianMs: number | null;
  /** The same of the 30 days before. */
  readonly medianBeforeMs: number | null;
  /** Verifications that wait for a reviewer now, since any day. */
  readonly waiting: number;
  /** When the one of them that waits longest was last submitted; null if none waits. */
  readonly waitingSince: Date | null;
}

/** Reads the activity of a client, for its team. A test twin is a client of its own, so live and test are apart. */
export type ReadActivity = (clientId: string) => Promise<ActivityReport>;

export function createReadActivity({
  verifications,
  clock,
}: {
  verifications: Pick<VerificationRepository, 'counts' | 'reviewActivity'>;
  clock: Clock;
}): ReadActivity {
  const readReview = rememberReview((query) => verifications.reviewActivity(query), clock);
  return async (clientId) => {
    const range = lastDays(clock.now());
    const comparedFrom = range.from - (range.until - range.from);
    // Read before the review, and of all its days, because they say whether it has changed.
    const created = await createdByDay(verifications, clientId, { ...range, from: comparedFrom });
    const { days: reviewed, ...now } = await readReview({ clientId, days: range, comparedFrom }, created);
    const reviewedOn = new Map(reviewed.map((figures) => [figures.day, figures]));
    const on = (day: number) => reviewedOn.get(day) ?? NONE_REVIEWED;
    const waitingOn = waitingByDay(daysIn(range), now.waiting, on);
    const days = daysIn(range).map((day) => {
      const { submitted, approved, rejected, medianMs } = on(day);
      const counts = { created: totalOf(created.get(day) ?? NONE), submitted, approved, rejected };
      return { ...counts, medianMs, day: dayText(day), waiting: waitingOn.get(day) ?? 0 };
    });
    return { days, totals: totalsOf(days), ...now };
  };
}

const NONE = statusCounts([]);
const NONE_REVIEWED = { submitted: 0, queued: 0, approved: 0, rejected: 0, medianMs: null };

/** Returns how many waited at the end of each day. Counts back from now: subtracts those that later days queued, adds those they decided. */
function waitingByDay(
  days: readonly number[],
  waitingNow: number,
  on: (day: number) => Pick<DayActivity, 'queued' | 'approved' | 'rejected'>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let waiting = waitingNow;
  for (const day of days.toReversed()) {
    found.set(day, Math.max(0, waiting));
    const { queued, approved, rejected } = on(day);
    waiting += approved + rejected - queued;
  }
  return found;
}

function totalsOf(days: readonly ActivityFigures[]): ActivityFigures {
  const sum = (of: keyof ActivityFigures) => days.reduce((total, day) => total + day[of], 0);
  return {
    created: sum('created'),
    submitted: sum('submitted'),
    approved: sum('approved'),
    rejected: sum('rejected'),
  };
}
