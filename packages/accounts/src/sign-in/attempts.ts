import { createHmac, hash } from 'node:crypto';
import { type Clock, networkOf, type RateLimit, type RateLimiter } from '@countersign/domain';
import { normalEmail, SIGN_IN_LIMITS, type Throttled, type Visitor } from '@countersign/domain/staff';
import type { StaffDatabase } from '../database/tables.ts';
import { hashOfToken } from '../database/token-hash.ts';
import { unlessUserGone } from '../errors.ts';
import { type Bucket, createAttemptsInFlight, type RunningAttempt } from './attempts-in-flight.ts';
import type { Devices } from './devices.ts';

/** A check of something that a visitor may be guessing. */
export interface Check<R> {
  readonly run: () => Promise<R>;
  /** Whether the visitor guessed wrong. A right answer, and any other refusal, is given back. */
  readonly isWrong: (result: R) => boolean;
}

/**
 * Counts attempts before they are checked, and gives back those that were not wrong: only wrong attempts count, and right
 * passwords in a bucket of their own. A `Throttled` attempt is not checked, and is given back too.
 */
export interface Attempts {
  /** Counts unknown e-mail addresses too, so that the answer does not reveal which exist. */
  withPassword<R>(visitor: Visitor, email: string, check: Check<R>): Promise<R | Throttled>;
  withCode<R>(visitor: Visitor, userId: string, check: Check<R>): Promise<R | Throttled>;
  /** Passkeys cannot be guessed; the limit is that of passwords from one network. */
  withPasskey<R>(visitor: Visitor, check: Check<R>): Promise<R | Throttled>;
  withLink<R>(visitor: Visitor, check: Check<R>): Promise<R | Throttled>;
  /** Counts every request, also for unknown e-mail addresses. Null if it is allowed. */
  resetRequest(visitor: Visitor, email: string): Promise<Throttled | null>;
  /** A password or a code in a session, which attempts elsewhere cannot use up. */
  inSession<R>(token: string, kind: 'password' | 'code', check: Check<R>): Promise<R | Throttled>;
}

/** Which attempts a bucket counts. */
type Counts = 'wrong' | 'right';

interface CountingBucket extends Bucket {
  readonly counts: Counts;
}

const wrong = (name: string, limit: RateLimit): CountingBucket => ({ name, limit, counts: 'wrong' });
const right = (name: string): CountingBucket => ({ name, limit: SIGN_IN_LIMITS.rightPasswords, counts: 'right' });

/** @param secret hashes e-mail addresses, so that the rate limiter's store holds none */
export function createAttempts(ports: {
  rateLimiter: RateLimiter;
  clock: Clock;
  devices: Devices;
  secret: string;
}): Attempts {
  const { rateLimiter, clock, devices, secret } = ports;
  const inFlight = createAttemptsInFlight(rateLimiter);

  async function limited<R>(
    buckets: readonly CountingBucket[],
    { run, isWrong }: Check<R>,
  ): Promise<R | Throttled> {
    const counted: { readonly attempt: RunningAttempt; readonly bucket: CountingBucket }[] = [];
    let counts: Counts | null = null;
    try {
      // All attempts take their buckets in one order, so no two wait for each other.
      for (const bucket of buckets) {
        const attempt = await inFlight.begin(bucket);
        if (!attempt.allowed) return throttledUntil(attempt.resetAt);
        counted.push({ attempt, bucket });
      }
      const result = await run();
      counts = isWrong(result) ? 'wrong' : 'right';
      return result;
    } finally {
      // After a fault it is unknown whether the attempt was wrong, so an outage locks out no user.
      await Promise.all(counted.map(({ attempt, bucket }) => attempt.end(bucket.counts === counts)));
    }
  }

  function throttledUntil(resetAt: Date): Throttled {
    const seconds = Math.ceil((resetAt.getTime() - clock.now().getTime()) / 1_000);
    return { outcome: 'throttled', retryAfterSeconds: Math.max(1, seconds) };
  }

  const hashOfEmail = (email: string): string =>
    createHmac('sha256', secret).update(normalEmail(email)).digest('base64url');

  return {
    async withPassword({ cookies, clientAddress }, email, check) {
      const account = hashOfEmail(email);
      const device = await devices.find(cookies, { email });
      if (device !== null) {
        return limited(
          [
            wrong(`sign-in:device:${device}:${account}`, SIGN_IN_LIMITS.passwords),
            right(`sign-in:right:device:${device}:${account}`),
          ],
          check,
        );
      }
      const network = networkOf(clientAddress);
      const buckets = [
        wrong(`sign-in:address:${network}`, SIGN_IN_LIMITS.passwordsFromNetwork),
        wrong(`sign-in:account:${account}:${network}`, SIGN_IN_LIMITS.passwords),
        wrong(`sign-in:account:${account}`, SIGN_IN_LIMITS.passwordsAnywhere),
        right(`sign-in:right:${account}:${network}`),
      ];
      return limited(buckets, check);
    },

    async withCode({ cookies }, userId, check) {
      // The password was right before, so the network does not matter.
      const device = await devices.find(cookies, { userId });
      const name = device === null ? `sign-in:code:${userId}` : `sign-in:code:${userId}:${device}`;
      return limited([wrong(name, SIGN_IN_LIMITS.codes)], check);
    },

    withPasskey: ({ clientAddress }, check) =>
      limited([wrong(`sign-in:address:${networkOf(clientAddress)}`, SIGN_IN_LIMITS.passwordsFromNetwork)], check),

    withLink: ({ clientAddress }, check) =>
      limited([wrong(`sign-in:link:${networkOf(clientAddress)}`, SIGN_IN_LIMITS.links)], check),

    async resetRequest({ clientAddress }, email) {
      const buckets = [
        wrong(`reset:address:${networkOf(clientAddress)}`, SIGN_IN_LIMITS.resetsFromNetwork),
        wrong(`reset:account:${hashOfEmail(email)}`, SIGN_IN_LIMITS.resets),
      ];
      return limited<Throttled | null>(buckets, { run: async () => null, isWrong: () => true });
    },

    inSession(token, kind, check) {
      const session = hashOfToken(token);
      if (kind === 'code') return limited([wrong(`session:code:${session}`, SIGN_IN_LIMITS.codes)], check);
      const buckets = [
        wrong(`session:password:${session}`, SIGN_IN_LIMITS.passwords),
        right(`session:right:password:${session}`),
      ];
      return limited(buckets, check);
    },
  };
}

/** Exceeds the validity of any code. */
const KEPT_MS = 10 * 60 * 1_000;

/** Lets each TOTP code sign in once (RFC 6238, section 5.2). */
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

function hashOf(userId: string, code: string): string {
  return hash('sha256', `${userId} ${code}`, 'base64url');
}
