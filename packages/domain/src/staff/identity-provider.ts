import type { CookieChange, SignInOutcome, Visitor } from './sign-in-outcome.ts';
import type { StaffRole, TeamRole, User } from './user.ts';

/** An identity provider as pages name it. */
export interface ProviderName {
  /** Part of addresses and of audit entries: lower-case letters, digits and hyphens. */
  readonly id: string;
  /** The name on buttons. */
  readonly name: string;
}

/** Gives a role to users whose claim has, or contains, a value. */
export interface AccessRule {
  readonly claim: string;
  readonly value: string;
  readonly role: StaffRole;
  /** The client, with the role `client`. */
  readonly clientId?: string | undefined;
  readonly teamRole?: TeamRole | undefined;
}

/** What the operator trusts an identity provider with. */
export interface ProviderPolicy extends ProviderName {
  /** The issuer of its identities. */
  readonly issuer: string;
  /** `invited`: users must exist. `provisioned`: a sign-in creates those to whom a rule gives a role. */
  readonly users: 'invited' | 'provisioned';
  /** Whether an e-mail address that the provider calls verified connects to the user who has it. */
  readonly trustsEmail: boolean;
  /** The first rule that applies decides. Without rules, users keep the role of their invitation. */
  readonly rules: readonly AccessRule[];
  /** The values of `acr` and `amr` that count as a second factor. */
  readonly secondFactor: { readonly acr: readonly string[]; readonly amr: readonly string[] };
}

/** A user at a provider. The two values together never name another user. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity that a provider has proved, with its claims. */
export interface VerifiedIdentity extends IdentityKey {
  readonly email: string | null;
  /** Whether the provider says that the address was verified. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly acr: string | null;
  readonly amr: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A sign-in with an identity, as `UserIdentities.find` returned it. */
export interface IdentityUse {
  readonly userId: string;
  readonly key: IdentityKey;
  readonly withdrawnAt: Date | null;
  /** Whether to delete a password that the user may not use. */
  readonly endPassword: boolean;
}

/**
 * Why a visitor is sent to a provider: to sign in, to use a one-time link, to confirm their identity, or to connect an identity to the
 * signed-in user.
 */
export type SignOnPurpose =
  | { readonly kind: 'sign_in' }
  | { readonly kind: 'join'; readonly token: string }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'connect'; readonly userId: string };

/**
 * The provider fails. `no_answer`: it is down, slow, or answers with an error of its own. `invalid_answer`: its answer is not OpenID
 * Connect, or it does not know this service. `cause` is for the log.
 */
export interface ProviderUnavailable {
  readonly outcome: 'unavailable';
  readonly reason: 'no_answer' | 'invalid_answer';
  readonly cause: unknown;
}

/** Why an answer is refused. The audit log keeps it; the visitor does not see it. */
export type SignOnCheck =
  /** The user cancelled, or the provider answered with another error. */
  | 'provider_error'
  /** This browser did not begin the sign-in, or began it too long ago. */
  | 'request'
  /** The answer was used before. */
  | 'replayed'
  /** The provider did not accept the code. */
  | 'code'
  /** The signature or a claim of the ID token is wrong. */
  | 'token';

/** The answer of a provider after it was checked. A state is accepted once. */
export type SignOnAnswer =
  | ({
      readonly outcome: 'verified';
      readonly identity: VerifiedIdentity;
      readonly purpose: SignOnPurpose;
      readonly returnTo: string | null;
    } & CookieChange)
  | ({
      readonly outcome: 'refused';
      readonly check: SignOnCheck;
      /** What the visitor was sent for; null if this browser began nothing. */
      readonly purpose: SignOnPurpose | null;
      /** Of a refused ID token, for the log: what is wrong with it. */
      readonly cause?: unknown;
    } & CookieChange)
  | ProviderUnavailable;

/** Sign-in at identity providers, and the sessions that begin with it. Providers have the ids of `policies`. */
export interface SingleSignOn {
  readonly policies: readonly ProviderPolicy[];
  /** Roles that do not sign in with a password. */
  readonly passwordsOff: readonly StaffRole[];
  /** Whether a user may set a password and sign in with it: not where it is off for the role or their providers withdrew access, unless an operator allows it (`UserIdentities.allowPassword`). */
  mayUsePassword(user: Pick<User, 'id' | 'role'>): Promise<boolean>;
  /** Returns the provider's address for the visitor, and a cookie that binds its answer to this browser. */
  begin(
    visitor: Visitor,
    request: {
      readonly providerId: string;
      readonly purpose: SignOnPurpose;
      readonly returnTo: string | null;
    },
  ): Promise<({ readonly outcome: 'redirect'; readonly location: string } & CookieChange) | ProviderUnavailable>;
  /** Checks the provider's answer: the query of the address to which it sent the visitor. Starts no session. */
  finish(visitor: Visitor, answer: { readonly providerId: string; readonly query: string }): Promise<SignOnAnswer>;
  /**
   * Starts a session and records the use. A second factor that the user has set up here is asked for, unless the provider has
   * checked one. `refused`, and no session remains, if the user was removed or the use is not recorded (`UserIdentities.recordUse`).
   */
  startSession(
    visitor: Visitor,
    input: { readonly use: IdentityUse; readonly withSecondFactor: boolean },
  ): Promise<SignInOutcome>;
  /** Confirms the identity of the visitor's session, as `Accounts.confirmIdentity` does. */
  confirmSession(
    visitor: Visitor,
  ): Promise<({ readonly outcome: 'confirmed' } & CookieChange) | { readonly outcome: 'refused' }>;
}
