import { expect, test } from 'vitest';
import { createReadUsage } from './read-usage.ts';
import { statusCounts } from './status.ts';

/** 2026-03-01. */
const LAST_DAY = 20_513;

test('a report counts the last 30 days in UTC, today included, and nothing else', async () => {
  const asked: unknown[] = [];
  const usage = { month: '2026-03', used: 3, allowance: 10, state: 'open' } as const;
  const { report } = createReadUsage({
    clients: { usage: async () => usage },
    verifications: {
      counts: async (...query) => {
        asked.push(query);
        return [
          { day: LAST_DAY, type: 'kyc', counts: statusCounts([['pending', 1]]) },
          { day: LAST_DAY, type: 'kyb', counts: statusCounts([['approved', 1]]) },
          { day: LAST_DAY - 29, type: 'kyc', counts: statusCounts([['submitted', 1]]) },
        ];
      },
    },
    clock: { now: () => new Date('2026-03-01T23:59:59.999Z') },
  });

  const { days, resetsAt, used } = await report('client-1');
  expect(asked).toEqual([['client-1', { from: LAST_DAY - 29, until: LAST_DAY + 1 }]]);
  expect(days).toHaveLength(30);
  expect([days[0], days[1], days[29]]).toEqual([
    { day: '2026-01-31', count: 1, statuses: statusCounts([['submitted', 1]]) },
    { day: '2026-02-01', count: 0, statuses: statusCounts([]) },
    {
      day: '2026-03-01',
      count: 2,
      statuses: statusCounts([
        ['pending', 1],
        ['approved', 1],
      ]),
    },
  ]);
  expect([resetsAt, used]).toEqual([new Date('2026-04-01'), 3]);
});
