import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt } from '../audit/audit-recorder.ts';
import { decideSignOn } from '../staff/access-rules.ts';
import type { ProviderName, ProviderPolicy } from '../staff/identity-provider.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { StaffSession } from '../staff/sign-in.ts';
import type { CookieChange, Visitor } from '../staff/sign-in-outcome.ts';
import type { User } from '../staff/user.ts';
import { type AccountPorts, type AccountRecords, REFUSED } from './account-records.ts';
import type { CallerContext } from './caller.ts';
import { isConfirmed } from './rights.ts';
import { refusedWith, type SignOn, type SignOnChanges, type SignOnOutcome } from './sign-on-changes.ts';

/** An identity provider, as the signed-in user sees it. */
export interface OwnProvider extends ProviderName {
  readonly isConnected: boolean;
}

/** The identity providers of the signed-in user. Changes are recorded. */
export interface ProviderActions {
  /** Lists the providers that are set up. */
  ownProviders(): Promise<readonly OwnProvider[]>;
  /**
   * Disconnects a provider and signs the user out everywhere. Refused for a provider that is not connected, and unless the identity is
   * confirmed (`isConfirmed`). `last_way`: nothing changed, because the user could not sign in without it.
   */
  disconnectProvider(
    visitor: Visitor,
    providerId: string,
  ): Promise<
    | ({ readonly outcome: 'disconnected' } & CookieChange)
    | { readonly outcome: 'last_way' }
    | { readonly outcome: 'refused' }
  >;
}

export function createProviderActions(
  { accounts, staff, clock, recorder }: AccountPorts,
  { session }: CallerContext,
  records: AccountRecords,
): ProviderActions {
  const { policies = [], passwordsOff = [] } = accounts.singleSignOn ?? {};

  /** Returns what a change needs; null, with an entry of the refusal, if it is not allowed. */
  async function toChange(
    attempt: Attempt,
    providerId: string,
  ): Promise<{ staff: ManageStaff; policy: ProviderPolicy; user: User } | null> {
    const policy = policies.find(({ id }) => id === providerId);
    const isAllowed = session !== null && isConfirmed(session, clock.now());
    if (isAllowed && staff !== undefined && policy !== undefined) return { staff, policy, user: session.user };
    await recorder.refused(attempt, isAllowed ? 'NOT_FOUND' : 'NOT_ALLOWED');
    return null;
  }

  return {
    async ownProviders() {
      const issuers = session === null ? [] : ((await staff?.identities.issuersOf(session.user.id)) ?? []);
      return policies.map(({ id, name, issuer }) => ({ id, name, isConnected: issuers.includes(issuer) }));
    },

    async disconnectProvider(visitor, providerId) {
      const action: AuditAction = 'account.disconnect_provider';
      const plain = records.attemptOf(action);
      const change = await toChange(plain, providerId);
      if (change === null) return REFUSED;
      const { policy, user } = change;
      const accepted = {
        passwords: !passwordsOff.includes(user.role),
        issuers: policies.map(({ issuer }) => issuer),
      };
      const { outcome } = await recorder.act({
        attempt: { ...plain, targetId: user.id, detail: { provider: policy.id } },
        run: () => change.staff.identities.disconnectOne(user.id, policy.issuer, accepted),
        refusalOf: (result) => DISCONNECT_CODES[result.outcome],
      });
      if (outcome === 'disconnected') return { outcome, ...(await accounts.signOut(visitor)) };
      return outcome === 'last_way' ? { outcome } : REFUSED;
    },
  };
}

const DISCONNECT_CODES = {
  disconnected: null,
  not_found: 'NOT_FOUND',
  last_way: 'LAST_WAY_TO_SIGN_IN',
} as const;

/** What a verified answer means for the user who is signed in. */
export interface OwnIdentities {
  /** Confirms the identity of the session. The rules hold as at a sign-in. */
  confirm(sign: SignOn): Promise<SignOnOutcome>;
  /** Connects the identity to the user who began this, and who is still signed in. The rules hold as at a sign-in. */
  connect(sign: SignOn, userId: string): Promise<SignOnOutcome>;
}

export function createOwnIdentities(
  { session }: { readonly session: StaffSession | null },
  records: AccountRecords,
  changes: SignOnChanges,
): OwnIdentities {
  return {
    async confirm(sign) {
      const { sso, staff: users, policy, identity, attemptOf, refuse, visitor } = sign;
      const attempt = attemptOf('account.confirm_identity');
      const connected = await users.identities.find(identity);
      const own = session?.user.id;
      if (own === undefined || connected?.user.id !== own || connected.withdrawnAt !== null)
        return refuse('not_accepted', attempt);
      const { user } = connected;
      const decision = decideSignOn(policy, identity, { connected: user, byEmail: null });
      if (decision.outcome !== 'enter') {
        await changes.withdraw(sign, user);
        return refuse('no_access', attempt);
      }
      await changes.changeRole(sign, user, decision.change);
      const outcome = await sso.confirmSession(visitor);
      if (outcome.outcome === 'refused') return refuse('not_accepted', attempt);
      await records.recordDone(visitor, attempt);
      return { ...outcome, returnTo: null };
    },

    async connect(sign, userId) {
      const { policy, identity, attemptOf, refuse } = sign;
      const action = 'account.connect_provider';
      if (session?.user.id !== userId) return refuse('not_accepted', attemptOf(action));
      const { user } = session;
      const attempt = attemptOf(action, user);
      const decision = decideSignOn(policy, identity, { connected: user, byEmail: null });
      // Nothing is connected yet that could be withdrawn.
      if (decision.outcome !== 'enter') return refuse('no_access', attempt);
      const outcome = await changes.connect(sign, user, { kind: 'session' }, attempt);
      if (outcome !== 'connected') return refusedWith(sign, outcome === 'taken' ? 'taken' : 'changed');
      await changes.changeRole(sign, user, decision.change);
      return { outcome: 'connected', returnTo: null, setCookies: [] };
    },
  };
}
