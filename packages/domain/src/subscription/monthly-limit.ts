import type { ClientMode } from './client-mode.ts';
import { isSubscriptionActive, type Plan, type Subscription } from './subscription.ts';

// What counts toward the monthly limit: each verification that is created, by the API or the dashboard, in the month of
// its `requestedAt`. Refused and replayed requests do not count. `VerificationRepository.createCharged` counts.

/** Verifications a month that a plan allows, if the subscription has no limit of its own (interface, Limits). */
export const DEFAULT_MONTHLY_LIMIT: Readonly<Record<Plan, number>> = { standard: 1_000, enterprise: 10_000 };

/** Returns how many verifications a month the subscription allows. */
export function allowanceOf(subscription: Subscription): number {
  return subscription.monthlyLimit ?? DEFAULT_MONTHLY_LIMIT[subscription.plan];
}

/** Highest monthly limit of a subscription: the largest 32-bit integer. */
export const MONTHLY_LIMIT_MAX = 2_147_483_647;

/**
 * Returns how many verifications a client may create this month: in test mode as many as a storage counts, and null without an
 * active subscription.
 */
export function allowanceNow(
  { subscription, mode }: { readonly subscription: Subscription | null; readonly mode: ClientMode },
  now: Date,
): number | null {
  if (mode === 'test') return MONTHLY_LIMIT_MAX;
  return subscription !== null && isSubscriptionActive(subscription, now) ? allowanceOf(subscription) : null;
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
  /** What the subscription allows now; 0 without an active one. Null in test mode: there is no limit. */
  readonly allowance: number | null;
  /** Whether the API would answer a creation with `NO_ACTIVE_SUBSCRIPTION` now, with `LIMIT_EXCEEDED`, or with neither. */
  readonly state: 'open' | 'no_active_subscription' | 'limit_reached';
}

/** Returns the usage of a client's current month. */
export function usageOf(
  client: { readonly subscription: Subscription | null; readonly mode: ClientMode },
  used: number,
  now: Date,
): Usage {
  const month = monthOf(now);
  if (client.mode === 'test') return { month, used, allowance: null, state: 'open' };
  const allowance = allowanceNow(client, now);
  if (allowance === null) return { month, used, allowance: 0, state: 'no_active_subscription' };
  return { month, used, allowance, state: used < allowance ? 'open' : 'limit_reached' };
}
