import type { Subscription } from '@countersign/domain/clients';
import { describe, expect, it } from 'vitest';
import { endOfDay, lastDayOf, type SubscriptionState, subscriptionState } from './subscription-state.tsx';

const RUNNING: Subscription = {
  plan: 'standard',
  status: 'active',
  monthlyLimit: null,
  startsAt: new Date('2026-01-01T00:00:00Z'),
  endsAt: new Date('2026-02-01T00:00:00Z'),
};

it.each<[subscription: Subscription | null, now: string, state: SubscriptionState]>([
  [null, '2026-01-15T00:00:00Z', 'none'],
  [RUNNING, '2025-12-31T23:59:59Z', 'not_started'],
  [RUNNING, '2026-01-01T00:00:00Z', 'active'],
  [RUNNING, '2026-01-31T23:59:59Z', 'active'],
  [RUNNING, '2026-02-01T00:00:00Z', 'ended'],
  [{ ...RUNNING, endsAt: null }, '2099-01-01T00:00:00Z', 'active'],
  [{ ...RUNNING, status: 'canceled' }, '2026-01-15T00:00:00Z', 'canceled'],
])('%j at %s is %s', (subscription, now, state) => {
  expect(subscriptionState(subscription, new Date(now))).toBe(state);
});

describe('the last day of a subscription', () => {
  it.each([
    ['2026-12-31', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['9998-12-31', '9999-01-01T00:00:00.000Z'],
  ])('%s ends at %s and is computed from it', (day, moment) => {
    expect(endOfDay(day)).toEqual(new Date(moment));
    expect(lastDayOf(new Date(moment))).toBe(day);
  });

  it.each([
    '2026-12-32',
    '2027-02-29',
    '2026-1-1',
    '10000-01-01',
    '9999-12-31',
    'last-of-May',
    '',
    '-000001-01-01',
  ])('the last day of a subscription is null for %j, which is not a day', (day) => {
    expect(endOfDay(day)).toBeNull();
  });

  it('the last day of a subscription is the day in which it ends', () => {
    expect(lastDayOf(new Date('2027-01-01T09:30:00Z'))).toBe('2027-01-01');
  });
});
