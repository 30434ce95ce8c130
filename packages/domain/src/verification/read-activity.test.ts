import { expect, test } from 'vitest';
import { createReadActivity } from './read-activity.ts';
import { statusCounts } from './status.ts';

/** 2026-03-01. */
const LAST_DAY = 20_513;

test('a report joins creations and the review of the last 30 days, and compares with the 30 days before', async () => {
  const asked: unknown[] = [];
  const waitingSince = new Date('2026-01-01');
  const read = createReadActivity({
    verifications: {
      counts: async (...query) => {
        asked.push(query);
        return [
          { day: LAST_DAY, type: 'kyc', counts: statusCounts([['approved', 2]]) },
          { day: LAST_DAY, type: 'kyb', counts: statusCounts([['pending', 1]]) },
          { day: LAST_DAY - 29, type: 'kyc', counts: statusCounts([['rejected', 4]]) },
          { day: LAST_DAY - 30, type: 'kyc', counts: statusCounts([['rejected', 8]]) },
        ];
      },
      reviewActivity: async (query) => {
        asked.push(query);
        return {
          days: [
            { day: LAST_DAY - 1, submitted: 4, queued: 3, approved: 2, rejected: 1, medianMs: 9 },
            { day: LAST_DAY, submitted: 10, queued: 4, approved: 1, rejected: 0, medianMs: 7 },
          ],
          medianMs: 7,
          medianBeforeMs: null,
          waiting: 5,
          waitingSince,
        };
      },
    },
    clock: { now: () => new Date('2026-03-01T23:59:59.999Z') },
  });

  const { days, ...report } = await read('client-1');
  const range = { from: LAST_DAY - 29, until: LAST_DAY + 1 };
  const comparedFrom = LAST_DAY - 59;
  expect(asked).toEqual([
    ['client-1', { ...range, from: comparedFrom }],
    { clientId: 'client-1', days: range, comparedFrom },
  ]);
  expect(days).toHaveLength(30);
  expect([days[0], days[1], ...days.slice(28)]).toEqual([
    { day: '2026-01-31', created: 4, submitted: 0, approved: 0, rejected: 0, medianMs: null, waiting: 2 },
    { day: '2026-02-01', created: 0, submitted: 0, approved: 0, rejected: 0, medianMs: null, waiting: 2 },
    { day: '2026-02-28', created: 0, submitted: 4, approved: 2, rejected: 1, medianMs: 9, waiting: 2 },
    { day: '2026-03-01', created: 3, submitted: 10, approved: 1, rejected: 0, medianMs: 7, waiting: 5 },
  ]);
  expect(report).toEqual({
    totals: { created: 7, submitted: 14, approved: 3, rejected: 1 },
    medianMs: 7,
    medianBeforeMs: null,
    waiting: 5,
    waitingSince,
  });
});
