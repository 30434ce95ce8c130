import { isSubscriptionActive, type Plan, type Subscription } from './subscription.ts';

// What counts toward the monthly limit: each verification that is created, by the API or the dashboard, in the month of
// its `requestedAt`. Refused and replayed requests do not count. `VerificationRepository.createCharged` counts.

/** Verifications a month that a plan allows, if the subscription has no limit of its own (interface, Limits). */
export const DEFAULT_MONTHLY_LIMIT: Readonly<Record<Plan, number>> = { standard: 1_000, enterprise: 10_000 };

/** Returns how many verifications a month the subscription allows. */
export function allowanceOf(subscription: Subscription): number {
  return subscription.monthlyLimit ?? DEFAULT_MONTHLY_LIMIT[subscription.plan];
}

/** A calendar month in UTC as `YYYY-MM`. It ends just before the next one begins. */
export type Month = string;

/** Returns the month of a time. */
export function monthOf(moment: Date): Month {
  const year = String(moment.getUTCFullYear()).padStart(4, '0');
  return `${year}-${String(moment.getUTCMonth() + 1).padStart(2, '0')}`;
}

/** The usage of a client in a month. */
export interface Usage {
  readonly month: Month;
  /** Verifications created: the number of 201 responses. */
  readonly used: number;
  /** What the subscription allows now; 0 without an active one. */
  readonly allowance: number;
  /** Whether the API would answer a creation with `NO_ACTIVE_SUBSCRIPTION` now, with `LIMIT_EXCEEDED`, or with neither. */
  readonly state: 'open' | 'no_active_subscription' | 'limit_reached';
}

/** Returns the usage of a client's current month. */
export function usageOf(subscription: Subscription | null, used: number, now: Date): Usage {
  const isActive = subscription !== null && isSubscriptionActive(subscription, now);
  const allowance = isActive ? allowanceOf(subscription) : 0;
  const state = !isActive ? 'no_active_subscription' : used < allowance ? 'open' : 'limit_reached';
  return { month: monthOf(now), used, allowance, state };
}
