export const SUBSCRIPTION_STATUSES = ['active', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The subscription of a client, who has one or none. */
export interface Subscription {
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  /** Verifications a calendar month; null means the plan's own limit. */
  readonly monthlyLimit: number | null;
  readonly startsAt: Date;
  /** When it ends, exclusive; null means open-ended. */
  readonly endsAt: Date | null;
}

/** Whether the status is `active` and `now` is within `[startsAt, endsAt)`. */
export function isSubscriptionActive(subscription: Subscription, now: Date): boolean {
  if (subscription.status !== 'active' || now < subscription.startsAt) return false;
  return subscription.endsAt === null || now < subscription.endsAt;
}

/** Returns how many verifications a client may create a month; 0 without an active subscription. */
export function allowanceAt(subscription: Subscription | null, now: Date): number {
  return subscription !== null && isSubscriptionActive(subscription, now) ? allowanceOf(subscription) : 0;
}

/** Returns how many verifications a month the subscription allows. */
export function allowanceOf(subscription: Subscription): number {
  return subscription.monthlyLimit ?? DEFAULT_MONTHLY_LIMIT[subscription.plan];
}

/** Plans of the service (interface, Limits). */
export const PLANS = ['standard', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** Verifications a month if the subscription has no limit of its own. */
export const DEFAULT_MONTHLY_LIMIT: Readonly<Record<Plan, number>> = { standard: 1_000, enterprise: 10_000 };

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
}
