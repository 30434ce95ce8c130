import type { ProviderName, SingleSignOn } from './identity-provider.ts';
import type { Passkeys } from './passkeys.ts';
import type { SignIn } from './sign-in.ts';
import type { CookieChange, SignInOutcome, Throttled, Visitor } from './sign-in-outcome.ts';

/** The user that a one-time link is for. */
export interface Invitation {
  readonly email: string;
  readonly name: string;
  /** Whether the link replaces a password. Left out where that is not known. */
  readonly isReset?: boolean | undefined;
  /** The client of a withheld invitation (`NewUserContext.withholds`), which sets no password. Left out for any other link. */
  readonly withheldFor?: string | undefined;
  /** False if the user's role signs in at identity providers only. Default true. */
  readonly mayUsePassword?: boolean | undefined;
}

/** The result of setting a password by a one-time link. */
export type JoinOutcome =
  | SignInOutcome
  | { readonly outcome: 'password_refused'; readonly reason: 'too_short' | 'too_long' | 'too_common' };

/** How a user can confirm their identity. */
export interface WaysToConfirm {
  readonly password: boolean;
  readonly providers: readonly ProviderName[];
}

/** The secret of a new second factor, shown once. */
export interface SecondFactorSetup {
  /** `otpauth://totp/…` for a QR code. */
  readonly uri: string;
  /** The same secret in base32, to be typed. */
  readonly secret: string;
  /** Each signs in once without the device. */
  readonly backupCodes: readonly string[];
}

/** Shortest password, in characters. */
export const PASSWORD_MIN = 12;
/** Longest password, in characters. */
export const PASSWORD_MAX = 128;

/** Returns why the length of a new password is refused; null if it is accepted. */
export function passwordLengthRefusal(password: string): 'too_short' | 'too_long' | null {
  if ([...password].length < PASSWORD_MIN) return 'too_short';
  // In units of UTF-16, as libraries count it: 128 of them are at most 128 characters.
  return password.length > PASSWORD_MAX ? 'too_long' : null;
}

/**
 * Accounts with e-mail, password and an optional second factor (TOTP, RFC 6238). Wrong attempts are
 * counted by account and network, and separately in a session; a device on which the account signed in before cannot be
 * locked out from elsewhere. Sessions, one-time links and passwords are stored as hashes only.
 */
export interface Accounts extends SignIn {
  /** Signs in with e-mail address and password. */
  signIn(visitor: Visitor, input: { email: string; password: string }): Promise<SignInOutcome>;
  /** Completes a sign-in with a code of the device or a backup code. Each code works once. */
  enterSecondFactor(visitor: Visitor, code: string): Promise<SignInOutcome>;
  /** Ends the visitor's session. Without a session, it changes nothing. */
  signOut(visitor: Visitor): Promise<CookieChange>;

  /** Returns the user of a one-time link; null if it was used, has expired or never existed. Changes nothing. */
  invitationOf(token: string): Promise<Invitation | null>;
  /**
   * Uses the link: sets the password, ends every other session of the account, and signs in. A password that contains
   * little more than the name of the user's client is refused.
   */
  acceptInvitation(
    visitor: Visitor,
    input: { readonly token: string; readonly password: string; readonly clientName?: string | undefined },
  ): Promise<JoinOutcome>;
  /**
   * Sets the password of a user who opened a mailed link, ends every other session and pending sign-in of the account, every
   * one-time link and every passkey, and signs in: a second factor stays required. `refused` if the user no longer has the mark
   * (`MailRecipient.passwordMark`).
   *
   * Concurrency: of several calls with one mark, one sets the password.
   */
  replacePassword(
    visitor: Visitor,
    input: {
      readonly userId: string;
      readonly mark: string | null;
      readonly password: string;
      readonly clientName?: string | undefined;
    },
  ): Promise<JoinOutcome>;
  /**
   * Removes the second factor and the passkeys of a user who opened a mailed link, and ends every session and pending sign-in. Refused for a wrong
   * password, and if the second factor no longer has the mark. Attempts are counted as those of a sign-in.
   */
  removeLostFactor(
    visitor: Visitor,
    input: { readonly userId: string; readonly mark: string; readonly password: string },
  ): Promise<{ readonly outcome: 'removed' } | { readonly outcome: 'refused' } | Throttled>;
  /**
   * Counts a request for a new password, by network and by account. Unknown e-mail addresses are counted too, so that the answer
   * does not reveal which exist.
   */
  countResetRequest(visitor: Visitor, email: string): Promise<Throttled | null>;

  /**
   * Begins to set up a second factor for the signed-in user. It is required only after it was confirmed. A second call
   * replaces the first. Refused without a session, for a wrong password, or if a second factor is confirmed already. A user
   * without a password must have confirmed their identity (`isConfirmed`) instead.
   */
  beginSecondFactor(
    visitor: Visitor,
    password: string,
  ): Promise<({ readonly outcome: 'begun' } & SecondFactorSetup) | { readonly outcome: 'refused' } | Throttled>;
  /**
   * Confirms the second factor with the first code of the device. Replaces the session by a new one; all other sessions of
   * the account end.
   */
  confirmSecondFactor(visitor: Visitor, code: string): Promise<SignInOutcome>;
  /** Identity providers. Left out where none is set up. */
  readonly singleSignOn?: SingleSignOn | undefined;
  /** Passkeys. Left out where the service has no address that browsers allow them for. */
  readonly passkeys?: Passkeys | undefined;
  /** How the signed-in user can confirm their identity: by a password, and at these providers. */
  waysToConfirm(visitor: Visitor): Promise<WaysToConfirm>;
  /** Whether the signed-in user has a confirmed second factor. */
  hasSecondFactor(visitor: Visitor): Promise<boolean>;
  /** Removes the second factor and the passkeys of the signed-in user. Refused as `beginSecondFactor`. */
  removeSecondFactor(
    visitor: Visitor,
    password: string,
  ): Promise<{ readonly outcome: 'removed' } | { readonly outcome: 'refused' } | Throttled>;

  /**
   * Confirms the identity of the signed-in user before a sensitive action: sets the session's `confirmedAt` to now, for the
   * browser that receives these cookies. A stolen session is not confirmed with it. A confirmation that still holds stays
   * as it is, and is not prolonged. Attempts are counted for the session.
   */
  confirmIdentity(
    visitor: Visitor,
    password: string,
  ): Promise<({ readonly outcome: 'confirmed' } & CookieChange) | { readonly outcome: 'refused' } | Throttled>;
}
