import { expect, it } from 'vitest';
import { type Status, statusCounts } from './status.ts';
import { compareCounts, presentCounts, type VerificationCounts } from './verification-counts.ts';

function counted(day: number, type: VerificationCounts['type'], counts: Partial<Record<Status, number>>) {
  return { day, type, counts: statusCounts(Object.entries(counts)) };
}

it('presentCounts: replaces numbers below 0 by 0, and leaves out counts without verifications', () => {
  const all = [
    counted(1, 'kyc', { pending: 2, approved: -3 }),
    counted(1, 'kyb', {}),
    counted(2, 'kyc', { rejected: -1 }),
  ];
  expect(presentCounts(all)).toEqual([counted(1, 'kyc', { pending: 2 })]);
});

it('compareCounts: lists what differs in any status, by day and type, with missing counts as 0', () => {
  const kept = [
    counted(9, 'kyb', { pending: 1 }),
    counted(10, 'kyc', { pending: -1 }),
    counted(10, 'kyb', { pending: 2, approved: 1 }),
    counted(11, 'kyb', { rejected: 4 }),
  ];
  const found = [
    counted(11, 'kyb', { rejected: 4 }),
    counted(10, 'kyb', { pending: 2, approved: 3 }),
    counted(9, 'kyc', { submitted: 5 }),
    counted(9, 'kyb', {}),
  ];
  const none = statusCounts([]);
  expect(compareCounts('client-1', kept, found)).toEqual([
    { clientId: 'client-1', day: 9, type: 'kyb', kept: statusCounts([['pending', 1]]), counted: none },
    { clientId: 'client-1', day: 9, type: 'kyc', kept: none, counted: statusCounts([['submitted', 5]]) },
    {
      clientId: 'client-1',
      day: 10,
      type: 'kyb',
      kept: statusCounts([
        ['pending', 2],
        ['approved', 1],
      ]),
      counted: statusCounts([
        ['pending', 2],
        ['approved', 3],
      ]),
    },
    { clientId: 'client-1', day: 10, type: 'kyc', kept: statusCounts([['pending', -1]]), counted: none },
  ]);
});
