import { dueAt, isOverdue } from './due-time.ts';
import { medianOf } from './review-activity.ts';
import type { VerificationRecord } from './verification-record.ts';

/** Which decisions are read, and what counts as overdue. */
export interface ReviewLoadQuery {
  readonly now: Date;
  /** Decisions at this time or later. */
  readonly decidedFrom: Date;
}

/** What one reviewer decided. */
export interface ReviewerDecisions {
  readonly reviewerId: string;
  readonly approved: number;
  readonly rejected: number;
}

/** What waits for reviewers, and what they decided. */
export interface ReviewLoad {
  /** Verifications that are `submitted` now. */
  readonly waiting: number;
  /** When the one of them that waits longest was last submitted; null if none waits. */
  readonly waitingSince: Date | null;
  /** Those of them whose due time has passed. */
  readonly overdue: number;
  /** The earliest due time that has passed; null if none has. */
  readonly overdueSince: Date | null;
  /** In any order. Reviewers without a decision are left out. */
  readonly decisions: readonly ReviewerDecisions[];
  /** Median time from the last submission to these decisions, in ms; null without any. */
  readonly medianMs: number | null;
}

/** A decision of a reviewer. */
export interface ReviewerDecision {
  readonly outcome: 'approved' | 'rejected';
  readonly reviewerId: string;
  readonly submittedAt: Date;
  readonly resolvedAt: Date;
}

/** What the load takes from a verification of a client in live use. */
export interface LoadRecord extends Pick<VerificationRecord, 'status' | 'submittedAt' | 'resolvedAt'> {
  /** `FlowSettings.dueHours` of its client. */
  readonly dueHours: number | null;
  /** The reviewer of its event `verification.approved` or `verification.rejected`; null without one. */
  readonly decidedBy: string | null;
}

/** Computes `VerificationRepository.reviewLoad` from records of clients in live use, for storages that read them. */
export function reviewLoadOf(records: Iterable<LoadRecord>, { now, decidedFrom }: ReviewLoadQuery): ReviewLoad {
  const waiting: Date[] = [];
  const overdue: Date[] = [];
  const decided: ReviewerDecision[] = [];
  for (const { status, submittedAt, resolvedAt, dueHours, decidedBy } of records) {
    if (submittedAt === null) continue;
    if (status === 'submitted') {
      waiting.push(submittedAt);
      const due = dueAt(submittedAt, dueHours);
      if (due !== null && isOverdue(due, now)) overdue.push(due);
    }
    if (resolvedAt === null || resolvedAt < decidedFrom || decidedBy === null) continue;
    if (status === 'approved' || status === 'rejected')
      decided.push({ outcome: status, reviewerId: decidedBy, submittedAt, resolvedAt });
  }
  return {
    waiting: waiting.length,
    waitingSince: earliest(waiting),
    overdue: overdue.length,
    overdueSince: earliest(overdue),
    ...decisionsOf(decided),
  };
}

/** Counts decisions by reviewer, and finds the median of their times. */
export function decisionsOf(decided: readonly ReviewerDecision[]): Pick<ReviewLoad, 'decisions' | 'medianMs'> {
  const found = new Map<string, { approved: number; rejected: number }>();
  for (const { reviewerId, outcome } of decided) {
    const counts = found.get(reviewerId) ?? { approved: 0, rejected: 0 };
    counts[outcome] += 1;
    found.set(reviewerId, counts);
  }
  return {
    decisions: [...found].map(([reviewerId, counts]) => ({ reviewerId, ...counts })),
    medianMs: medianOf(
      decided.map(({ submittedAt, resolvedAt }) => Math.max(0, resolvedAt.getTime() - submittedAt.getTime())),
    ),
  };
}

function earliest(moments: readonly Date[]): Date | null {
  return moments.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
}
