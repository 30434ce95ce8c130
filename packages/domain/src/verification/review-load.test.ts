import { expect, it } from 'vitest';
import { type LoadRecord, reviewLoadOf } from './review-load.ts';

const at = (time: string) => new Date(`2026-03-02T${time}:00.000Z`);
const QUERY = { now: at('12:00'), decidedFrom: at('00:00') };

/** A verification that was submitted at 8 and is due at 10. */
function submitted(given: Partial<LoadRecord> = {}): LoadRecord {
  return {
    status: 'submitted',
    submittedAt: at('08:00'),
    resolvedAt: null,
    dueHours: 2,
    decidedBy: null,
    ...given,
  };
}

/** A decision of Lena, an hour after the submission. */
const decided = (given: Partial<LoadRecord> = {}): LoadRecord =>
  submitted({ status: 'approved', resolvedAt: at('09:00'), decidedBy: 'lena', ...given });

it('reviewLoadOf: what waits and what is overdue has the earliest of its times, in any order of the records', () => {
  const records = [
    submitted(),
    submitted({ submittedAt: at('07:00') }),
    submitted({ submittedAt: at('06:00'), dueHours: null }),
    submitted({ submittedAt: at('10:00') }),
    submitted({ status: 'pending', submittedAt: null }),
    submitted({ status: 'action_needed', submittedAt: at('05:00') }),
  ];
  expect(reviewLoadOf(records, QUERY)).toMatchObject({
    waiting: 4,
    waitingSince: at('06:00'),
    overdue: 2,
    overdueSince: at('09:00'),
  });
});

it('reviewLoadOf: counts decisions of reviewers since a time, with the median of their times', () => {
  const records = [
    decided(),
    decided({ status: 'rejected', submittedAt: at('06:00') }),
    decided({ decidedBy: 'max', resolvedAt: at('00:00') }),
    decided({ resolvedAt: new Date('2026-03-01T23:59:59.999Z') }),
    decided({ decidedBy: null }),
    // Expired before a submission.
    decided({ status: 'rejected', submittedAt: null }),
  ];
  expect(reviewLoadOf(records, QUERY)).toMatchObject({
    waiting: 0,
    waitingSince: null,
    overdueSince: null,
    decisions: [
      { reviewerId: 'lena', approved: 1, rejected: 1 },
      { reviewerId: 'max', approved: 1, rejected: 0 },
    ],
    medianMs: 60 * 60 * 1_000,
  });
});
