import type { Subscription } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { StateBadge } from '../../parts/badge.tsx';
import type { Page } from '../../site/page.ts';

/** Whether a subscription runs now. */
export type SubscriptionState = 'active' | 'canceled' | 'ended' | 'not_started' | 'none';

/** Returns the state of a subscription at a moment. */
export function subscriptionState(subscription: Subscription | null, now: Date): SubscriptionState {
  if (subscription === null) return 'none';
  const { status, startsAt, endsAt } = subscription;
  if (status === 'canceled') return 'canceled';
  if (now < startsAt) return 'not_started';
  return endsAt !== null && now >= endsAt ? 'ended' : 'active';
}

/** Shows the state of a subscription. */
export const SubscriptionBadge: FC<{ subscription: Subscription | null; now: Date; page: Page }> = (props) => {
  const state = subscriptionState(props.subscription, props.now);
  return <StateBadge of={`subscription.${state}`} page={props.page} />;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the last day on which a subscription runs, `YYYY-MM-DD` in UTC.
 * @param endsAt the first moment at which it no longer runs
 */
export function lastDayOf(endsAt: Date): string {
  return new Date(endsAt.getTime() - 1).toISOString().slice(0, 10);
}

/** Returns the first moment after a day `YYYY-MM-DD` in UTC; null if the text is not a day, or ends after the year 9999. */
export function endOfDay(day: string): Date | null {
  const start = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== day) return null;
  const end = new Date(start.getTime() + DAY_MS);
  return end.getUTCFullYear() > 9999 ? null : end;
}
