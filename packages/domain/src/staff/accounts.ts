import type { SignIn } from './sign-in.ts';

/** `Set-Cookie` values that the answer to the request must carry. */
export interface CookieChange {
  readonly setCookies: readonly string[];
}

/** Too many attempts from one address or for one account. */
export interface Throttled {
  readonly outcome: 'throttled';
  readonly retryAfterSeconds: number;
}

/** Of whom a request comes: the browser's cookies, and the address that attempts are counted by. */
export interface Visitor {
  readonly cookies: string | undefined;
  readonly clientAddress: string;
}

export type SignInOutcome =
  | ({ readonly outcome: 'signed_in' } & CookieChange)
  /** The password was right; `enterSecondFactor` comes next, with the cookies given here. */
  | ({ readonly outcome: 'second_factor_needed' } & CookieChange)
  /** Unknown e-mail or wrong password or code: which of them is not told. */
  | { readonly outcome: 'refused' }
  | Throttled;

/** A one-time link, as somebody holds it who was invited or forgot the password. */
export interface Invitation {
  readonly email: string;
  readonly name: string;
}

/** Shown once, while a second factor is set up. */
export interface SecondFactorSetup {
  /** `otpauth://totp/…` for a QR code. */
  readonly uri: string;
  /** The same secret in base32, to be typed. */
  readonly secret: string;
  /** Each opens the account once when the device is lost. */
  readonly backupCodes: readonly string[];
}

/** Bounds of a new password, in characters. */
export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;

/**
 * Accounts with e-mail, password and an optional second factor (TOTP, RFC 6238). Attempts are counted per account and
 * per address; sessions, one-time links and passwords are stored as hashes only.
 */
export interface Accounts extends SignIn {
  signIn(visitor: Visitor, input: { email: string; password: string }): Promise<SignInOutcome>;
  /** A code of the device, or one of the backup codes. */
  enterSecondFactor(visitor: Visitor, code: string): Promise<SignInOutcome>;
  signOut(visitor: Visitor): Promise<CookieChange>;

  /** Whom a one-time link is for; null once it was used, expired or never was. Changes nothing. */
  invitationOf(token: string): Promise<Invitation | null>;
  /** Uses the link up: sets the password, ends every other session of the account, and signs in. */
  acceptInvitation(
    visitor: Visitor,
    input: { token: string; password: string },
  ): Promise<
    | SignInOutcome
    | { readonly outcome: 'password_refused'; readonly reason: 'too_short' | 'too_long' | 'too_common' }
  >;

  /**
   * Begins to set up a second factor for whoever is signed in; it is not asked for before it was confirmed. Begun again,
   * what was begun before ends. Refused: nobody is signed in, the password is wrong, or there is a confirmed one.
   */
  beginSecondFactor(
    visitor: Visitor,
    password: string,
  ): Promise<({ readonly outcome: 'begun' } & SecondFactorSetup) | { readonly outcome: 'refused' } | Throttled>;
  /**
   * The first code of the device. It begins a new session in place of the one that asks; all others of the account, which
   * were begun without it, end.
   */
  confirmSecondFactor(visitor: Visitor, code: string): Promise<SignInOutcome>;
  /** Whether whoever is signed in has a confirmed second factor. */
  hasSecondFactor(visitor: Visitor): Promise<boolean>;
  removeSecondFactor(
    visitor: Visitor,
    password: string,
  ): Promise<{ readonly outcome: 'removed' } | { readonly outcome: 'refused' } | Throttled>;

  /**
   * Proves once more that whoever is signed in is who they are, before something that matters: `confirmedAt` of the
   * session becomes now, for the browser that keeps the cookie given here. Whoever has stolen its session before is not
   * confirmed with it. Attempts are counted as those of `signIn` are.
   */
  confirmIdentity(
    visitor: Visitor,
    password: string,
  ): Promise<({ readonly outcome: 'confirmed' } & CookieChange) | { readonly outcome: 'refused' } | Throttled>;
}
