/** What a user has to sign in with. */
export interface WaysToSignIn {
  readonly hasPassword: boolean;
  readonly identities: readonly { readonly issuer: string; readonly isWithdrawn: boolean }[];
}

/** What the service accepts from a user for good. */
export interface AcceptedWays {
  /** Whether the user's role signs in with a password. */
  readonly passwords: boolean;
  /** The issuers of the providers that are set up. */
  readonly issuers: readonly string[];
}

/** Whether a user can sign in. Passwords of users from whom every provider has withdrawn access are not accepted. */
export function canSignIn({ hasPassword, identities }: WaysToSignIn, accepted: AcceptedWays): boolean {
  const connected = identities.filter(({ isWithdrawn }) => !isWithdrawn);
  const isWithdrawn = identities.length > 0 && connected.length === 0;
  const byPassword = hasPassword && accepted.passwords && !isWithdrawn;
  return byPassword || connected.some(({ issuer }) => accepted.issuers.includes(issuer));
}
