import { isSubscriptionActive, type Subscription } from '@countersign/domain';

/** A subscription's status for people: one that is still called active after its end has `ended`. */
export function statusText(subscription: Subscription, now: Date): string {
  if (subscription.status !== 'active' || isSubscriptionActive(subscription, now)) return subscription.status;
  return 'ended';
}
