import type { Subscription } from '@countersign/domain';
import { expect, it } from 'vitest';
import { type CallerContext, callerContext } from './subscription-standing.tsx';

const RUNNING: Subscription = {
  plan: 'standard',
  status: 'active',
  monthlyLimit: null,
  startsAt: new Date('2026-01-01T00:00:00Z'),
  endsAt: new Date('2026-02-01T00:00:00Z'),
};

it.each<[subscription: Subscription | null, now: string, standing: CallerContext]>([
  [null, '2026-01-15T00:00:00Z', 'none'],
  [RUNNING, '2025-12-31T23:59:59Z', 'not_started'],
  [RUNNING, '2026-01-01T00:00:00Z', 'active'],
  [RUNNING, '2026-01-31T23:59:59Z', 'active'],
  [RUNNING, '2026-02-01T00:00:00Z', 'ended'],
  [{ ...RUNNING, endsAt: null }, '2099-01-01T00:00:00Z', 'active'],
  [{ ...RUNNING, status: 'canceled' }, '2026-01-15T00:00:00Z', 'canceled'],
])('%j stands at %s as %s', (subscription, now, standing) => {
  expect(callerContext(subscription, new Date(now))).toBe(standing);
});
