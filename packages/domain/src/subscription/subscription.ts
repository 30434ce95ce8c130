export const SUBSCRIPTION_STATUSES = ['active', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** The subscription of a client. A client has at most one. */
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

/** Plans of the service (interface, Limits). */
export const PLANS = ['standard', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];
