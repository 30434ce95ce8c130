import { createHmac } from 'node:crypto';
import {
  type Clock,
  networkOf,
  normalEmail,
  type RateLimit,
  type RateLimiter,
  type Throttled,
} from '@countersign/domain';

const WINDOW_SECONDS = 15 * 60;
const attempts = (requests: number): RateLimit => ({ requests, windowSeconds: WINDOW_SECONDS });

/** Attempts in 15 minutes. A code gets 5: there are a million codes, and 3 are valid at a time. */
const FROM_AN_ADDRESS = attempts(30);
const FOR_A_PASSWORD = attempts(10);
const FOR_A_CODE = attempts(5);

/** Counts attempts before they are checked. Null if the attempt is allowed. */
export interface Attempts {
  /** Counts any attempt with a password, a code or a one-time link. */
  from(address: string): Promise<Throttled | null>;
  /** Counts unknown e-mail addresses too, so that the answer does not reveal which exist. */
  withPassword(address: string, email: string): Promise<Throttled | null>;
  withCode(address: string, userId: string): Promise<Throttled | null>;
}

/** @param secret hashes e-mail addresses, so that the rate limiter's store holds none */
export function createAttempts(ports: { rateLimiter: RateLimiter; clock: Clock; secret: string }): Attempts {
  const { rateLimiter, clock, secret } = ports;

  async function consume(bucket: string, limit: RateLimit): Promise<Throttled | null> {
    const { allowed, resetAt } = await rateLimiter.consume(bucket, limit);
    if (allowed) return null;
    const seconds = Math.ceil((resetAt.getTime() - clock.now().getTime()) / 1_000);
    return { outcome: 'throttled', retryAfterSeconds: Math.max(1, seconds) };
  }

  const from = (address: string) => consume(`sign-in:address:${networkOf(address)}`, FROM_AN_ADDRESS);
  return {
    from,
    async withPassword(address, email) {
      const account = createHmac('sha256', secret).update(normalEmail(email)).digest('base64url');
      return (await from(address)) ?? (await consume(`sign-in:account:${account}`, FOR_A_PASSWORD));
    },
    async withCode(address, userId) {
      return (await from(address)) ?? (await consume(`sign-in:code:${userId}`, FOR_A_CODE));
    },
  };
}
