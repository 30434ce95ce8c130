import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import type {
  ProviderPolicy,
  ProviderUnavailable,
  SignOnPurpose,
  SingleSignOn,
  VerifiedIdentity,
} from '../staff/identity-provider.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { NewRole } from '../staff/role-change.ts';
import type { CookieChange, SignInOutcome, Visitor } from '../staff/sign-in-outcome.ts';
import type { User } from '../staff/user.ts';
import type { ConnectionProof } from '../staff/user-identities.ts';

/** Why a provider's answer opens no session. */
export type SignOnRefusal =
  /** The user cancelled, or the sign-in expired or began in another browser. */
  | 'not_accepted'
  /** The ID token of the provider failed a check. */
  | 'not_genuine'
  /** The identity has no user here. */
  | 'no_account'
  /** The provider's claims give no role, or none that the user may have. */
  | 'no_access'
  /** The one-time link was used or has expired. */
  | 'link_ended'
  /** The identity belongs to another user, or the user has another identity at this provider. */
  | 'taken'
  /** The user was removed or disconnected, or access was withdrawn, during the sign-in. */
  | 'changed';

/** The result of a provider's answer. `returnTo` is the path that the visitor asked for. */
export type SignOnOutcome =
  | (Exclude<SignInOutcome, { readonly outcome: 'refused' }> & { readonly returnTo?: string | null })
  | ({ readonly outcome: 'confirmed'; readonly returnTo: string | null } & CookieChange)
  | ({ readonly outcome: 'connected'; readonly returnTo: string | null } & CookieChange)
  | ({
      readonly outcome: 'not_signed_on';
      readonly reason: SignOnRefusal;
      /** What the visitor was sent to the provider for; null if this browser began nothing. */
      readonly purpose: SignOnPurpose['kind'] | null;
    } & CookieChange)
  | Omit<ProviderUnavailable, 'cause'>;

/** A provider's answer that was verified. */
export interface SignOn {
  readonly sso: SingleSignOn;
  readonly staff: ManageStaff;
  readonly policy: ProviderPolicy;
  readonly identity: VerifiedIdentity;
  readonly purpose: SignOnPurpose['kind'];
  readonly visitor: Visitor;
  readonly attemptOf: (action: AuditAction, user?: User) => Attempt;
  /** Refuses with an entry. */
  readonly refuse: (reason: SignOnRefusal, attempt?: Attempt) => Promise<SignOnOutcome>;
}

/** The code of each refusal in the audit log. */
export const SIGN_ON_CODES: Readonly<Record<SignOnRefusal, string>> = {
  not_accepted: 'CREDENTIALS_REFUSED',
  not_genuine: 'CREDENTIALS_REFUSED',
  no_account: 'USER_NOT_FOUND',
  no_access: 'NOT_ALLOWED',
  link_ended: 'LINK_INVALID',
  taken: 'USER_EXISTS',
  changed: 'CREDENTIALS_REFUSED',
};

/** Refuses without a further entry. */
export function refusedWith({ purpose }: Pick<SignOn, 'purpose'>, reason: SignOnRefusal): SignOnOutcome {
  return { outcome: 'not_signed_on', reason, purpose, setCookies: [] };
}

/** What a verified answer changes about its user. Each change is recorded. */
export interface SignOnChanges {
  /** Connects the identity. */
  connect(
    sign: SignOn,
    user: User,
    proof: ConnectionProof,
    attempt: Attempt,
  ): Promise<'connected' | 'refused' | 'taken'>;
  /** Withdraws access. */
  withdraw(sign: SignOn, user: User): Promise<void>;
  /** Stores the role that the claims give. */
  changeRole(sign: SignOn, user: User, change: NewRole | null): Promise<void>;
}

export function createSignOnChanges(recorder: AuditRecorder): SignOnChanges {
  return {
    async connect({ staff: users, identity }, user, proof, attempt) {
      const { outcome } = await recorder.act({
        attempt,
        run: () => users.identities.connect(user.id, identity, proof),
        refusalOf: (result) => {
          if (result.outcome === 'connected') return null;
          return SIGN_ON_CODES[result.outcome === 'taken' ? 'taken' : 'link_ended'];
        },
      });
      return outcome;
    },

    async withdraw({ staff: users, attemptOf }, user) {
      const attempt = attemptOf('account.withdraw_access', user);
      await recorder.act({ attempt, run: () => users.identities.withdraw(user.id) });
    },

    async changeRole({ staff: users, attemptOf }, user, change) {
      if (change === null) return;
      const attempt = attemptOf('account.change_role', user);
      await recorder.act({
        attempt: { ...attempt, detail: { ...attempt.detail, ...change } },
        // The provider decides, also about the last owner of a team.
        run: () => users.changeRole(user.id, change, { keepOwner: false }),
      });
    },
  };
}
