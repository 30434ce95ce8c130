import type { PageSlice, VerificationGroup } from '@countersign/domain/storage';
import { expect, it } from 'vitest';
import { cheapestPlan } from './subject-plans.ts';

/** A million verifications: one status and one type are rare. */
const MILLION: readonly VerificationGroup[] = [
  { status: 'pending', type: 'kyc', count: 147_500 },
  { status: 'submitted', type: 'kyc', count: 99_000 },
  { status: 'action_needed', type: 'kyc', count: 990 },
  { status: 'approved', type: 'kyc', count: 594_000 },
  { status: 'rejected', type: 'kyc', count: 148_500 },
  { status: 'pending', type: 'kyb', count: 1_490 },
  { status: 'submitted', type: 'kyb', count: 1_000 },
  { status: 'action_needed', type: 'kyb', count: 10 },
  { status: 'approved', type: 'kyb', count: 6_000 },
  { status: 'rejected', type: 'kyb', count: 1_510 },
];

function planFor(filter: Partial<VerificationGroup>, offset = 0) {
  const groups = MILLION.filter(
    ({ status, type }) => (filter.status ?? status) === status && (filter.type ?? type) === type,
  );
  const slice: PageSlice = {
    groups,
    orderedBy: 'subjectReference',
    direction: 'asc',
    requestedFrom: undefined,
    requestedUntil: undefined,
    offset,
    limit: 20,
    reversed: false,
  };
  return cheapestPlan(slice, MILLION);
}

it.each([
  ['every verification', {}, { kind: 'walked', activeIn: 'rows' }],
  ['a rare active status', { status: 'action_needed' }, { kind: 'collected' }],
  ['a common active status', { status: 'pending' }, { kind: 'walked', activeIn: 'rows' }],
  ['a common decided status', { status: 'approved' }, { kind: 'walked', activeIn: 'rows' }],
  ['a rare type', { type: 'kyb' }, { kind: 'walked', activeIn: 'groups' }],
  [
    'a rare type of a common decided status',
    { type: 'kyb', status: 'approved' },
    { kind: 'walked', activeIn: 'rows' },
  ],
  ['a rare type of a rare status', { type: 'kyb', status: 'action_needed' }, { kind: 'collected' }],
] as const)('the first page of %s among a million reads less than 5,000 index entries', (_, filter, plan) => {
  const cheapest = planFor(filter);

  expect(cheapest.plan).toEqual(plan);
  expect(cheapest.entries).toBeLessThan(5_000);
});

it.each([
  ['every verification', {}, 'rows'],
  ['a common decided status', { status: 'approved' }, 'rows'],
  ['a common active status', { status: 'pending' }, 'groups'],
] as const)('a page in the middle of %s begins at a subject that the indexes show', (_, filter, activeIn) => {
  const { plan, entries } = planFor(filter, 50_000);

  expect(plan).toEqual({ kind: 'walked from the offset', activeIn });
  expect(entries).toBeLessThan(1_000_000);
});
