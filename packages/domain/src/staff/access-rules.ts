import type { AccessRule, ProviderPolicy, VerifiedIdentity } from './identity-provider.ts';
import { type NewUser, normalEmail, USER_NAME_MAX } from './new-user.ts';
import type { NewRole } from './role-change.ts';
import { belongsToClient, type User } from './user.ts';

/** What a sign-in at a provider leads to. */
export type SignOnDecision =
  /** The user enters, after this change of their role. */
  | { readonly outcome: 'enter'; readonly user: User; readonly change: NewRole | null }
  /** As `enter`, and the identity is connected to the user first. */
  | { readonly outcome: 'connect'; readonly user: User; readonly change: NewRole | null }
  /** `emailVerified`: whether the provider verified the e-mail address of the new user. */
  | { readonly outcome: 'provision'; readonly input: NewUser; readonly emailVerified: boolean }
  /** The provider gives the user no role any more, or one that they cannot change to. */
  | { readonly outcome: 'withdraw'; readonly user: User }
  | { readonly outcome: 'refuse'; readonly reason: 'no_account' | 'no_access' };

/**
 * Decides what a sign-in leads to.
 * @param found.connected the user of the identity
 * @param found.byEmail the user with the e-mail address of the identity
 * @param found.isEmailUnverified whether that user has an address that no provider verified (`UserIdentities.hasUnverifiedEmail`): it
 *   connects no identity, because it may belong to another person
 */
export function decideSignOn(
  policy: ProviderPolicy,
  identity: VerifiedIdentity,
  found: { readonly connected: User | null; readonly byEmail: User | null; readonly isEmailUnverified?: boolean },
): SignOnDecision {
  const rule = ruleFor(policy, identity);
  const givesNone = policy.rules.length > 0 && rule === null;
  const { connected, byEmail, isEmailUnverified = false } = found;
  if (connected !== null) {
    if (givesNone || !isOfKind(connected, rule)) return { outcome: 'withdraw', user: connected };
    return { outcome: 'enter', user: connected, change: changeTo(connected, rule) };
  }
  if (givesNone) return { outcome: 'refuse', reason: 'no_access' };
  if (byEmail !== null && !isEmailUnverified && provesEmail(policy, identity)) {
    if (!isOfKind(byEmail, rule)) return { outcome: 'refuse', reason: 'no_access' };
    return { outcome: 'connect', user: byEmail, change: changeTo(byEmail, rule) };
  }
  const email = identity.email === null ? '' : normalEmail(identity.email);
  if (policy.users === 'invited' || rule === null || byEmail !== null || email === '') {
    return { outcome: 'refuse', reason: 'no_account' };
  }
  const { role, clientId, teamRole } = rule;
  const input = { email, name: nameOf(identity), role, clientId, teamRole };
  return { outcome: 'provision', input, emailVerified: identity.emailVerified };
}

/** Whether the operator trusts the second factor that the provider checked. */
export function hasTrustedFactor({ secondFactor }: ProviderPolicy, { acr, amr }: VerifiedIdentity): boolean {
  return (
    (acr !== null && secondFactor.acr.includes(acr)) || amr.some((method) => secondFactor.amr.includes(method))
  );
}

/** An address that anyone can give themselves at the provider proves nothing. */
function provesEmail({ trustsEmail }: ProviderPolicy, { email, emailVerified }: VerifiedIdentity): boolean {
  return trustsEmail && emailVerified && email !== null;
}

function ruleFor({ rules }: ProviderPolicy, { claims }: VerifiedIdentity): AccessRule | null {
  return (
    rules.find(({ claim, value }) => contains(Object.hasOwn(claims, claim) ? claims[claim] : null, value)) ?? null
  );
}

/** Whether a claim is a value, or a list that contains it. */
function contains(claim: unknown, value: string): boolean {
  return Array.isArray(claim) ? claim.includes(value) : claim === value;
}

/** Staff of a client stay with it, and reviewers and operators do not join one. */
function isOfKind({ role, clientId }: User, rule: AccessRule | null): boolean {
  if (rule === null) return true;
  return belongsToClient(role) === belongsToClient(rule.role) && clientId === (rule.clientId ?? null);
}

function changeTo(user: User, rule: AccessRule | null): NewRole | null {
  if (rule === null) return null;
  const { role, teamRole = 'owner' } = rule;
  if (belongsToClient(role)) return teamRole === user.teamRole ? null : { role, teamRole };
  return role === user.role ? null : { role };
}

/** Returns the name as one line of plain text (`isPlainLine`); undefined if nothing of it is left. */
function nameOf({ name }: VerifiedIdentity): string | undefined {
  const plain = (name ?? '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim();
  return plain.slice(0, USER_NAME_MAX) || undefined;
}
