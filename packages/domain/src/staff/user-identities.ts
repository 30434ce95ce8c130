import type { IdentityKey, IdentityUse } from './identity-provider.ts';
import type { NewUser } from './new-user.ts';
import type { User } from './user.ts';
import type { AcceptedWays } from './ways-to-sign-in.ts';

/** Proof that an identity may be connected to a user. */
export type ConnectionProof =
  /** A one-time link. It is used up. */
  | { readonly kind: 'token'; readonly token: string }
  /** A mailed link, made for this mark (`MailRecipient.passwordMark`). */
  | { readonly kind: 'mark'; readonly mark: string | null }
  /** The e-mail address that both have. */
  | { readonly kind: 'email' }
  /** The session of the user, who has confirmed their identity. */
  | { readonly kind: 'session' };

/** A user by their identity at a provider. */
export interface ConnectedUser {
  readonly user: User;
  /** When the provider withdrew the user's access; null if it did not. */
  readonly withdrawnAt: Date | null;
}

/**
 * Stores which identity at a provider belongs to which user. A user has one identity at an issuer, and an identity one user.
 * Each operation is atomic. Ids and keys are untrusted text.
 */
export interface UserIdentities {
  find(key: IdentityKey): Promise<ConnectedUser | null>;
  /** Lists the issuers at which a user has an identity. */
  issuersOf(userId: string): Promise<readonly string[]>;
  /**
   * Connects an identity to a user. With a link as proof, the user's password, one-time links and sessions end: the identity
   * replaces them. With a session as proof, the identity ends when a link sets the password, as passkeys do, unless the password is
   * allowed for some time only (`allowPassword`).
   *
   * Concurrency: of several calls with one link, one wins; of calls with one identity, the first.
   * @returns `refused` if the link no longer works, the user is unknown, or every provider of a signed-in user has withdrawn access; `taken` if the identity has another user, or the user
   *   another identity at the issuer
   */
  connect(
    userId: string,
    key: IdentityKey,
    proof: ConnectionProof,
  ): Promise<{ readonly outcome: 'connected' | 'refused' | 'taken' }>;
  /**
   * Creates a user with an identity. Concurrency: of calls with one e-mail address or one identity, the first wins.
   * @param options.emailVerified whether the provider verified the e-mail address
   * @returns `exists` if the address or the identity has a user
   * @throws CountersignError `INVALID_PARAMETERS` (`checkNewUser`)
   */
  provision(
    input: NewUser,
    key: IdentityKey,
    options: { readonly emailVerified: boolean },
  ): Promise<{ readonly outcome: 'created'; readonly user: User } | { readonly outcome: 'exists' }>;
  /**
   * Whether the user was created with an e-mail address that the provider did not verify (`provision`), and no one-time link was made for
   * them since (`ManageStaff.invite`). The address may belong to another person. False for an unknown user.
   */
  hasUnverifiedEmail(userId: string): Promise<boolean>;
  /**
   * Records a sign-in: access that was withdrawn is given back. Concurrency: waits for a withdrawal or disconnection that has begun.
   * @returns false, without a change, if the user was disconnected or access was withdrawn since `withdrawnAt` was read
   */
  recordUse(use: IdentityUse): Promise<boolean>;
  /** Ends a user's sessions, pending sign-ins, one-time and mailed links, password and passkeys. Identities stay, marked as withdrawn. */
  withdraw(userId: string): Promise<void>;
  /** Deletes a user's identities, and ends their sessions and the mailed links that were made before. Null for an unknown user. */
  disconnect(userId: string): Promise<User | null>;
  /**
   * Deletes a user's identity at an issuer, which has not withdrawn access, and ends their sessions.
   *
   * Concurrency: of several calls for one user, the last way to sign in remains.
   * @returns `last_way`, without a change, if the user could not sign in without it (`canSignIn`)
   */
  disconnectOne(
    userId: string,
    issuer: string,
    accepted: AcceptedWays,
  ): Promise<{ readonly outcome: 'disconnected' | 'not_found' | 'last_way' }>;
  /**
   * Lets a user sign in with a password for some time, although passwords are switched off for their role. Null for an unknown
   * user.
   */
  allowPassword(userId: string, forMs: number): Promise<User | null>;
  /** Whether `allowPassword` holds. */
  isPasswordAllowed(userId: string): Promise<boolean>;
}
