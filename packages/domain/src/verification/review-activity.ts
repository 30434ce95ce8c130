import { DAY_MS, type DayRange, dayOf } from './verification-counts.ts';
import type { VerificationRecord } from './verification-record.ts';

/** Whose review is read, and of which days. */
export interface ReviewActivityQuery {
  readonly clientId: string;
  /** The days that are listed. */
  readonly days: DayRange;
  /** First day of the range that ends where `days` begins, and whose median is read for comparison. Not after `days.from`. */
  readonly comparedFrom: number;
}

/** Numbers of one day. */
export interface DayActivity {
  /** Days since 1970-01-01 in UTC. */
  readonly day: number;
  readonly submitted: number;
  /** How many of `submitted` wait for a reviewer or were decided by one. Those sent back or closed since do not count. */
  readonly queued: number;
  readonly approved: number;
  readonly rejected: number;
  /** Median time to decision of the day's decisions, in ms; null without any. */
  readonly medianMs: number | null;
}

/** What a client's subjects submitted and reviewers decided, and what waits. */
export interface ReviewActivity {
  /** In any order. Days without any number are left out. */
  readonly days: readonly DayActivity[];
  /** Median time to decision of the decisions in `days`, in ms; null without any. */
  readonly medianMs: number | null;
  /** The same of the days from `comparedFrom` until `days` begins. */
  readonly medianBeforeMs: number | null;
  /** Verifications that are `submitted` now. */
  readonly waiting: number;
  /** When the one of them that waits longest was last submitted; null if none waits. */
  readonly waitingSince: Date | null;
}

/** What the activity takes from a verification. */
export interface ReviewedRecord extends Pick<VerificationRecord, 'status' | 'submittedAt' | 'resolvedAt'> {
  /** Whether it has the event `verification.rejected`: a withdrawn or expired one is `rejected` too, without a decision. */
  readonly isRejectedByReview: boolean;
}

/** The first moment of the range that a storage reads: a verification that was resolved before it is in no number. */
export function activityFrom({ comparedFrom }: Pick<ReviewActivityQuery, 'comparedFrom'>): Date {
  return new Date(comparedFrom * DAY_MS);
}

/** Computes `VerificationRepository.reviewActivity` from records of the client, for storages that read them. */
export function reviewActivityOf(
  records: Iterable<ReviewedRecord>,
  query: Pick<ReviewActivityQuery, 'days' | 'comparedFrom'>,
): ReviewActivity {
  const { days } = query;
  const from = activityFrom(query);
  const found = new Map<number, DayCounts>();
  const countedOn = (day: number): DayCounts | null => {
    if (day < days.from || day >= days.until) return null;
    const counted = found.get(day) ?? { submitted: 0, queued: 0, approved: 0, rejected: 0, times: [] };
    found.set(day, counted);
    return counted;
  };
  const timesBefore: number[] = [];
  let waiting = 0;
  let waitingSince: Date | null = null;

  for (const { status, submittedAt, resolvedAt, isRejectedByReview } of records) {
    if (submittedAt === null || (resolvedAt !== null && resolvedAt < from)) continue;
    const isDecided = resolvedAt !== null && (status !== 'rejected' || isRejectedByReview);
    const submissions = countedOn(dayOf(submittedAt));
    if (submissions !== null) {
      submissions.submitted += 1;
      if (isDecided || status === 'submitted') submissions.queued += 1;
    }
    if (status === 'submitted') {
      waiting += 1;
      if (waitingSince === null || submittedAt < waitingSince) waitingSince = submittedAt;
    }
    if (!isDecided) continue;
    const day = dayOf(resolvedAt);
    const time = Math.max(0, resolvedAt.getTime() - submittedAt.getTime());
    if (day < days.from) timesBefore.push(time);
    const decisions = countedOn(day);
    if (decisions === null) continue;
    decisions[status === 'approved' ? 'approved' : 'rejected'] += 1;
    decisions.times.push(time);
  }
  return {
    days: [...found].map(([day, { times, ...counts }]) => ({ day, ...counts, medianMs: medianOf(times) })),
    medianMs: medianOf([...found.values()].flatMap(({ times }) => times)),
    medianBeforeMs: medianOf(timesBefore),
    waiting,
    waitingSince,
  };
}

interface DayCounts {
  submitted: number;
  queued: number;
  approved: number;
  rejected: number;
  /** Times to the decisions of the day. */
  readonly times: number[];
}

/** Returns the median; of an even number of values the lower of the two in the middle, so that it is one of them. */
export function medianOf(values: readonly number[]): number | null {
  const inOrder = Float64Array.from(values).sort();
  return inOrder[Math.ceil(inOrder.length / 2) - 1] ?? null;
}
