import type { RateLimit } from '../rate-limit/rate-limiter.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

const inAQuarterOfAnHour = (requests: number): RateLimit => ({ requests, windowSeconds: 15 * MINUTE_SECONDS });
const inAnHour = (requests: number): RateLimit => ({ requests, windowSeconds: HOUR_SECONDS });

/** How many attempts to sign in or to confirm an identity are allowed. */
export interface SignInLimits {
  /** Wrong passwords of all accounts from one network. */
  readonly passwordsFromNetwork: RateLimit;
  /** Wrong passwords of one account: from one network, from one device that signed in before, in one session. */
  readonly passwords: RateLimit;
  /**
   * Wrong passwords of one account from all networks together, except from devices that signed in before. 10 billion
   * guesses, which the rules for passwords withstand, take 5,700 years.
   */
  readonly passwordsAnywhere: RateLimit;
  /**
   * Right passwords of one account on one device or from one network, and in one session. Each is recorded for ever, and
   * takes as much memory and processor time as a wrong one.
   */
  readonly rightPasswords: RateLimit;
  /** Wrong codes: there are a million, and 3 are valid at a time. */
  readonly codes: RateLimit;
  /** Uses of one-time links from one network. Links cannot be guessed; the limit is for refused new passwords too. */
  readonly links: RateLimit;
  /** Requests for a new password of one account, each of which sends a mail. */
  readonly resets: RateLimit;
  /** Requests for a new password from one network. */
  readonly resetsFromNetwork: RateLimit;
}

/** The limits of this version. */
export const SIGN_IN_LIMITS: SignInLimits = {
  passwordsFromNetwork: inAQuarterOfAnHour(30),
  passwords: inAQuarterOfAnHour(10),
  passwordsAnywhere: inAQuarterOfAnHour(50),
  rightPasswords: inAQuarterOfAnHour(30),
  codes: inAQuarterOfAnHour(5),
  links: inAQuarterOfAnHour(100),
  resets: inAnHour(3),
  resetsFromNetwork: inAnHour(20),
};

/**
 * When a session of staff ends, in seconds: in total, and without use. NIST SP 800-63B-4, section 2.2.3, recommends at most 24 hours
 * and 1 hour for users who read personal data.
 */
export const STAFF_SESSION: { readonly seconds: number; readonly idleSeconds: number } = {
  seconds: 12 * HOUR_SECONDS,
  idleSeconds: HOUR_SECONDS,
};
