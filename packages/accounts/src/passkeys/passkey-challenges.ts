import type { Clock, RateLimit, RateLimiter } from '@countersign/domain';
import type { PasskeyCheck, PasskeyPurpose } from '@countersign/domain/staff';
import type { CookieJar } from '../sessions/cookies.ts';

/** How long a user may take at the authenticator. */
const CHALLENGE_SECONDS = 5 * 60;

/** Each challenge is answered once. */
const ONCE: RateLimit = { requests: 1, windowSeconds: CHALLENGE_SECONDS };

/** A challenge that an authenticator has to answer. Only the browser that began it holds it, in a signed cookie. */
export interface PasskeyChallenge {
  readonly challenge: string;
  readonly purpose: PasskeyPurpose | 'add';
  /** The expected user; null if any user may answer. */
  readonly userId: string | null;
}

/** Keeps challenges in the browser, so that anonymous visitors fill no table. */
export interface PasskeyChallenges {
  /** Returns the `Set-Cookie` that keeps a challenge. It replaces an earlier one of the browser. */
  keep(challenge: PasskeyChallenge): string;
  /** Consumes the browser's challenge for this purpose. Returns it, or the reason why there is none. */
  take(
    cookies: string | undefined,
    purpose: PasskeyChallenge['purpose'],
  ): Promise<PasskeyChallenge | PasskeyCheck>;
  /** A `Set-Cookie` that removes the challenge. */
  readonly ended: string;
}

export function createPasskeyChallenges(
  cookies: CookieJar,
  clock: Clock,
  rateLimiter: RateLimiter,
): PasskeyChallenges {
  const name = cookies.names.passkey;

  function read(header: string | undefined): (PasskeyChallenge & { readonly begunAt: number }) | null {
    const text = cookies.read(header, name);
    if (text === null) return null;
    try {
      // This service signed the value, but perhaps as another of its cookies.
      const stored = JSON.parse(text) as Partial<PasskeyChallenge & { begunAt: number }> | null;
      const { challenge, purpose, userId = null, begunAt } = stored ?? {};
      return typeof challenge === 'string' && typeof begunAt === 'number' && purpose !== undefined
        ? { challenge, purpose, userId, begunAt }
        : null;
    } catch {
      return null;
    }
  }

  return {
    keep: (challenge) =>
      cookies.keep(name, JSON.stringify({ ...challenge, begunAt: clock.now().getTime() }), CHALLENGE_SECONDS),

    async take(header, purpose) {
      const stored = read(header);
      if (stored === null || stored.purpose !== purpose) return 'request';
      const age = clock.now().getTime() - stored.begunAt;
      if (age < 0 || age >= CHALLENGE_SECONDS * 1_000) return 'request';
      const { allowed } = await rateLimiter.consume(`passkey:${stored.challenge}`, ONCE);
      return allowed ? stored : 'replayed';
    },

    ended: cookies.removal(name),
  };
}
