import { createHmac, hash } from 'node:crypto';
import {
  type Clock,
  networkOf,
  normalEmail,
  type RateLimit,
  type RateLimiter,
  type Throttled,
} from '@countersign/domain';
import type { StaffDatabase } from '../database/tables.ts';
import { isUserGone } from '../errors.ts';

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

/** Exceeds the validity of any code. */
const KEPT_MS = 10 * 60 * 1_000;

/** Lets each TOTP code sign in once (RFC 6238, section 5.2). better-auth does not check this. */
export interface UsedCodes {
  /**
   * Returns false if the code was used before or the user was removed. Of several requests at once with one code, one
   * gets true.
   */
  take(userId: string, code: string): Promise<boolean>;
  /** Releases a wrong code: it may be right at a later time. */
  giveBack(userId: string, code: string): Promise<void>;
}

export function createUsedCodes(database: () => Promise<StaffDatabase>, clock: Clock): UsedCodes {
  return {
    async take(userId, code) {
      const db = await database();
      const now = clock.now();
      await db
        .deleteFrom('staff_used_codes')
        .where('used_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
        .execute();
      const taken = await db
        .insertInto('staff_used_codes')
        .values({ user_id: userId, code_hash: hashOf(userId, code), used_at: now.toISOString() })
        .onConflict((conflict) => conflict.columns(['user_id', 'code_hash']).doNothing())
        .returning('user_id')
        .executeTakeFirst()
        .catch(unlessUserGone);
      return taken !== undefined;
    },
    async giveBack(userId, code) {
      const db = await database();
      await db
        .deleteFrom('staff_used_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hashOf(userId, code))
        .execute();
    },
  };
}

function unlessUserGone(error: unknown): undefined {
  if (!isUserGone(error)) throw error;
}

function hashOf(userId: string, code: string): string {
  return hash('sha256', `${userId} ${code}`, 'base64url');
}
