import type { Principal } from '../access/authenticate.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Plan } from '../subscription/plan.ts';
import { isSubscriptionActive } from '../subscription/subscription.ts';
import { networkOf } from './client-address.ts';
import type { RateLimitDecision, RateLimiter } from './rate-limiter.ts';

/** Requests a minute (interface, Limits). `anonymous` is for requests without a valid key, by network address. */
export type RequestRates = Readonly<Record<Plan | 'anonymous', number>>;

export const DEFAULT_REQUEST_RATES: RequestRates = { standard: 100, enterprise: 500, anonymous: 100 };

const WINDOW_SECONDS = 60;

/** Counts one request against whoever makes it. */
export interface RateLimits {
  /** One bucket for all keys of a client: Enterprise while such a subscription runs, else Standard. */
  forClient(principal: Principal): Promise<RateLimitDecision>;
  /** One bucket for each IPv4 address or IPv6 /64. */
  forAddress(address: string): Promise<RateLimitDecision>;
}

export function createRateLimits(
  ports: { rateLimiter: RateLimiter; clock: Clock },
  rates: RequestRates,
): RateLimits {
  const { rateLimiter, clock } = ports;
  const aMinute = (requests: number) => ({ requests, windowSeconds: WINDOW_SECONDS });

  return {
    forClient({ clientId, subscription }) {
      const active = subscription !== null && isSubscriptionActive(subscription, clock.now());
      return rateLimiter.consume(`client:${clientId}`, aMinute(rates[active ? subscription.plan : 'standard']));
    },
    forAddress: (address) => rateLimiter.consume(`address:${networkOf(address)}`, aMinute(rates.anonymous)),
  };
}
