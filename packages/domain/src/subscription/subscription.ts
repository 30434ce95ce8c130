import { DEFAULT_MONTHLY_LIMIT, type Plan } from './plan.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** What a client has booked. A client has one subscription or none. */
export interface Subscription {
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  /** Verifications a calendar month; null means the plan's own limit. */
  readonly monthlyLimit: number | null;
  readonly startsAt: Date;
  /** First moment at which it no longer runs; null means open-ended. */
  readonly endsAt: Date | null;
}

/** A subscription counts while its status is `active` and `now` lies in `[startsAt, endsAt)`. */
export function isSubscriptionActive(subscription: Subscription, now: Date): boolean {
  if (subscription.status !== 'active' || now < subscription.startsAt) return false;
  return subscription.endsAt === null || now < subscription.endsAt;
}

/** How many verifications a client may create in a month, by what it has booked at the moment: 0 where nothing runs. */
export function allowanceAt(subscription: Subscription | null, now: Date): number {
  return subscription !== null && isSubscriptionActive(subscription, now) ? allowanceOf(subscription) : 0;
}

/** How many verifications may be created in a month. */
export function allowanceOf(subscription: Subscription): number {
  return subscription.monthlyLimit ?? DEFAULT_MONTHLY_LIMIT[subscription.plan];
}
