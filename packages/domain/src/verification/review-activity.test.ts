import { expect, it } from 'vitest';
import { reviewActivityOf } from './review-activity.ts';
import { DAY_MS } from './verification-counts.ts';

const at = (day: number, ms = 0): Date => new Date(day * DAY_MS + ms);

it('reviewActivityOf: waitingSince is the earliest submission of those that wait, in any order', () => {
  const waiting = [12, 11, 13].map(
    (day) => ({ status: 'submitted', submittedAt: at(day), resolvedAt: null, isRejectedByReview: false }) as const,
  );
  const activity = reviewActivityOf(waiting, { days: { from: 10, until: 20 }, comparedFrom: 5 });
  expect(activity).toMatchObject({ waiting: 3, waitingSince: at(11) });
});

it('reviewActivityOf: the median before has the decisions from the first compared day until the listed days', () => {
  const decided = (day: number, ms: number) =>
    ({
      status: 'approved',
      submittedAt: new Date(at(day).getTime() - ms),
      resolvedAt: at(day),
      isRejectedByReview: false,
    }) as const;
  const records = [decided(4, 9), decided(5, 2), decided(9, 4), decided(10, 5)];
  const activity = reviewActivityOf(records, { days: { from: 10, until: 20 }, comparedFrom: 5 });
  expect(activity).toMatchObject({ medianMs: 5, medianBeforeMs: 2 });
});
