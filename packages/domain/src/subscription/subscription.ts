/** Statuses of a subscription. */
export const SUBSCRIPTION_STATUSES = ['active', 'canceled'] as const;
/** The status of a subscription: one of `SUBSCRIPTION_STATUSES`. */
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
export function isSubscriptionActive({ status, startsAt, endsAt }: Subscription, now: Date): boolean {
  // Numbers: a comparison of dates converts both through `valueOf` each time.
  const moment = now.getTime();
  if (status !== 'active' || moment < startsAt.getTime()) return false;
  return endsAt === null || moment < endsAt.getTime();
}

/** Plans of the service (interface, Limits). */
export const PLANS = ['standard', 'enterprise'] as const;
/** A plan of the service: one of `PLANS`. */
export type Plan = (typeof PLANS)[number];
