import { describe, expect, it } from 'vitest';
import { allowanceOf, monthOf } from './monthly-limit.ts';
import { isSubscriptionActive, type Subscription } from './subscription.ts';

const running: Subscription = {
  plan: 'standard',
  status: 'active',
  monthlyLimit: null,
  startsAt: new Date('2026-01-01T00:00:00.000Z'),
  endsAt: new Date('2026-02-01T00:00:00.000Z'),
};
const at = (moment: string) => new Date(moment);

describe('a subscription', () => {
  it.each([
    ['2025-12-31T23:59:59.999Z', false],
    ['2026-01-01T00:00:00.000Z', true],
    ['2026-01-31T23:59:59.999Z', true],
    ['2026-02-01T00:00:00.000Z', false],
  ])('runs in [startsAt, endsAt): at %s %s', (moment, active) => {
    expect(isSubscriptionActive(running, at(moment))).toBe(active);
  });

  it('a subscription without an end is active until it is canceled', () => {
    const open = { ...running, endsAt: null };
    expect(isSubscriptionActive(open, at('2999-01-01T00:00:00Z'))).toBe(true);
    expect(isSubscriptionActive({ ...open, status: 'canceled' }, at('2026-01-15T00:00:00Z'))).toBe(false);
  });

  it('allows its own limit, or the limit of its plan', () => {
    expect(allowanceOf(running)).toBe(1_000);
    expect(allowanceOf({ ...running, plan: 'enterprise' })).toBe(10_000);
    expect(allowanceOf({ ...running, monthlyLimit: 0 })).toBe(0);
  });
});

it.each([
  ['2026-01-31T23:59:59.999Z', '2026-01'],
  ['2026-02-01T00:00:00.000Z', '2026-02'],
  ['2026-02-01T01:00:00+02:00', '2026-01'],
])('%s is counted in %s, by UTC', (moment, month) => {
  expect(monthOf(at(moment))).toBe(month);
});
