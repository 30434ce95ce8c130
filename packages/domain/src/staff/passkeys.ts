import type { CookieChange, SignInOutcome, Throttled, Visitor } from './sign-in-outcome.ts';
import type { User } from './user.ts';

/** Passkeys that a user may have at most. */
export const PASSKEYS_MAX = 10;
/** Longest name of a passkey, in characters. */
export const PASSKEY_NAME_MAX = 60;

/** A passkey (WebAuthn credential) of a user. Its key is never shown. */
export interface Passkey {
  readonly id: string;
  /** The name that the user gave it. */
  readonly name: string;
  readonly createdAt: Date;
  /** When it last signed in; null if never. */
  readonly usedAt: Date | null;
}

/** `sign_in`: in place of the password and the code. `second_factor`: in place of the code, after the password or a provider. */
export type PasskeyPurpose = 'sign_in' | 'second_factor';

/** What the browser passes to the authenticator, and the cookie that binds the answer to this browser. */
export interface PasskeyRequest extends CookieChange {
  /** Options of `navigator.credentials`, as JSON (WebAuthn, level 3). */
  readonly options: string;
}

/** Why an answer of an authenticator is refused. The audit log keeps it; the visitor does not see it. */
export type PasskeyCheck =
  /** This browser did not begin it, began it too long ago, or began something else. */
  | 'request'
  /** The challenge was used before. */
  | 'replayed'
  /** The passkey is unknown, removed, or another user's. */
  | 'passkey'
  /** The origin, the challenge, the signature, or the user verification is wrong. */
  | 'response'
  /** The signature counter went back: the passkey may have been copied. */
  | 'counter';

/** An answer that was refused. Its challenge is used up. */
export interface PasskeyRefused {
  readonly outcome: 'refused';
  readonly check: PasskeyCheck;
  /** The user whose passkey it is; null if that is not known. */
  readonly user: User | null;
}

/** A passkey that proved its user, who was verified by the authenticator. */
export interface VerifiedPasskey {
  readonly outcome: 'verified';
  readonly purpose: PasskeyPurpose;
  readonly user: User;
  readonly passkeyId: string;
  /** Whether the user has a password. */
  readonly hasPassword: boolean;
  /** The signature counter that was stored, and the new one. */
  readonly counter: { readonly from: number; readonly to: number };
}

/**
 * Passkeys of users, verified with WebAuthn: user verification is required, so a passkey counts as two factors. A challenge is
 * answered once, by the browser that it was made for. Ids and answers are untrusted text.
 */
export interface Passkeys {
  /** Lists the passkeys of a user, oldest first. */
  list(userId: string): Promise<readonly Passkey[]>;
  /** Begins a sign-in. Null for a second factor without a pending sign-in, or of a user without passkeys. */
  begin(visitor: Visitor, purpose: PasskeyPurpose): Promise<PasskeyRequest | null>;
  /** Checks an answer. Starts no session. Wrong answers are counted as those of a sign-in. */
  finish(
    visitor: Visitor,
    answer: { readonly purpose: PasskeyPurpose; readonly response: string },
  ): Promise<VerifiedPasskey | PasskeyRefused | Throttled>;
  /**
   * Starts a session with two factors, ends the pending sign-in, and stores the counter. `refused` if the user or the passkey was
   * removed, or the passkey was used in the meantime.
   */
  startSession(visitor: Visitor, verified: VerifiedPasskey): Promise<SignInOutcome>;
  /** Begins to add a passkey for the signed-in user. */
  beginAdding(visitor: Visitor, user: User): Promise<PasskeyRequest>;
  /**
   * Stores a new passkey for the user who has set up a second factor. Concurrency: never more than `PASSKEYS_MAX`.
   * @returns `too_many` at `PASSKEYS_MAX`
   */
  finishAdding(
    visitor: Visitor,
    answer: { readonly user: User; readonly name: string; readonly response: string },
  ): Promise<
    | ({ readonly outcome: 'added'; readonly passkey: Passkey } & CookieChange)
    | { readonly outcome: 'too_many' }
    | PasskeyRefused
    | Throttled
  >;
  /** Removes a passkey of the user. False for an unknown one. */
  remove(userId: string, passkeyId: string): Promise<boolean>;
}
