import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt } from '../audit/audit-recorder.ts';
import { CountersignError } from '../errors.ts';
import { decideSignOn, hasTrustedFactor } from '../staff/access-rules.ts';
import type {
  ProviderPolicy,
  ProviderUnavailable,
  SignOnPurpose,
  SingleSignOn,
  VerifiedIdentity,
} from '../staff/identity-provider.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import { type NewUser, userEmailOf } from '../staff/new-user.ts';
import type { NewRole } from '../staff/role-change.ts';
import type { CookieChange, SignInOutcome, Visitor } from '../staff/sign-in-outcome.ts';
import type { User } from '../staff/user.ts';
import type { ConnectedUser, ConnectionProof } from '../staff/user-identities.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import type { AccountPorts, AccountRecords } from './account-records.ts';
import type { CallerContext } from './caller.ts';

/** Why a provider's answer opens no session. */
export type SignOnRefusal =
  /** The user cancelled, the sign-in expired, or the answer is not genuine. */
  | 'not_accepted'
  /** The identity has no user here. */
  | 'no_account'
  /** The provider's claims give no role, or none that the user may have. */
  | 'no_access'
  /** The one-time link was used or has expired. */
  | 'link_ended'
  /** The identity belongs to another user, or the user has another identity at this provider. */
  | 'taken';

/** The result of a provider's answer. `returnTo` is the path that the visitor asked for. */
export type SignOnOutcome =
  | (SignInOutcome & { readonly returnTo?: string | null })
  | ({ readonly outcome: 'confirmed'; readonly returnTo: string | null } & CookieChange)
  | ({ readonly outcome: 'not_signed_on'; readonly reason: SignOnRefusal } & CookieChange)
  | { readonly outcome: 'unavailable' };

/** Signing in, joining and confirming the identity at an identity provider. Each is recorded. */
export interface SignOnActions {
  /** Sends the visitor to a provider. Leaves no entry, because nothing changes. Undefined for an unknown provider. */
  beginSignOn(
    visitor: Visitor,
    request: { readonly providerId: string; readonly purpose: SignOnPurpose; readonly returnTo: string | null },
  ): Promise<
    | Exclude<Awaited<ReturnType<SingleSignOn['begin']>>, ProviderUnavailable>
    | { outcome: 'unavailable' }
    | undefined
  >;
  /** Does what the visitor was sent to the provider for. Undefined for an unknown provider. */
  finishSignOn(
    visitor: Visitor,
    answer: { readonly providerId: string; readonly query: string },
  ): Promise<SignOnOutcome | undefined>;
}

const AUDIT_CODES: Readonly<Record<SignOnRefusal, string>> = {
  not_accepted: 'CREDENTIALS_REFUSED',
  no_account: 'USER_NOT_FOUND',
  no_access: 'NOT_ALLOWED',
  link_ended: 'LINK_INVALID',
  taken: 'USER_EXISTS',
};

export function createSignOnActions(
  ports: AccountPorts,
  caller: CallerContext,
  records: AccountRecords,
): SignOnActions {
  const { accounts, staff, clients, recorder, onFault } = ports;

  function find(
    providerId: string,
  ): { sso: SingleSignOn; staff: ManageStaff; policy: ProviderPolicy } | undefined {
    const sso = accounts.singleSignOn;
    const policy = sso?.policies.find(({ id }) => id === providerId);
    return sso === undefined || staff === undefined || policy === undefined ? undefined : { sso, staff, policy };
  }

  function report({ cause }: ProviderUnavailable): CountersignError {
    const fault = new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause });
    onFault(fault);
    return fault;
  }

  return {
    async beginSignOn(visitor, request) {
      const begun = await find(request.providerId)?.sso.begin(visitor, request);
      if (begun?.outcome !== 'unavailable') return begun;
      report(begun);
      return { outcome: 'unavailable' };
    },

    async finishSignOn(visitor, answer) {
      const found = find(answer.providerId);
      if (found === undefined) return undefined;
      const { sso, policy } = found;
      const attemptOf = (action: AuditAction, user?: User): Attempt => ({
        ...records.attemptOf(action),
        detail: { provider: policy.id },
        ...(user !== undefined && { targetId: user.id, clientId: user.clientId }),
      });
      const checked = await records.recordingFaults('account.sign_in', () => sso.finish(visitor, answer));
      if (checked.outcome === 'unavailable') {
        await recorder.notDone(attemptOf('account.sign_in'), report(checked));
        return { outcome: 'unavailable' };
      }
      const refuse = async (
        reason: SignOnRefusal,
        attempt = attemptOf('account.sign_in'),
      ): Promise<SignOnOutcome> => {
        await recorder.refused(attempt, AUDIT_CODES[reason]);
        return { outcome: 'not_signed_on', reason, setCookies: checked.setCookies };
      };
      if (checked.outcome === 'refused') {
        const attempt = attemptOf('account.sign_in');
        return refuse('not_accepted', { ...attempt, detail: { ...attempt.detail, check: checked.check } });
      }
      const { purpose, returnTo } = checked;
      const { email } = checked.identity;
      // An address that no user can have counts as missing.
      const identity = { ...checked.identity, email: email === null ? null : userEmailOf(email) };
      const sign: SignOn = { ...found, identity, attemptOf, refuse, visitor };
      switch (purpose.kind) {
        case 'confirm':
          return withCookies(await confirm(sign), checked.setCookies, returnTo);
        case 'join':
          return withCookies(await join(sign, purpose.token), checked.setCookies, returnTo);
        case 'sign_in':
          return withCookies(await signIn(sign), checked.setCookies, returnTo);
        default:
          return purpose satisfies never;
      }
    },
  };

  /** Confirms the identity of the session. The rules hold as at a sign-in. */
  async function confirm(sign: SignOn): Promise<SignOnOutcome> {
    const { sso, staff: users, policy, identity, attemptOf, refuse, visitor } = sign;
    const attempt = attemptOf('account.confirm_identity');
    const connected = await users.identities.find(identity);
    const own = caller.session?.user.id;
    if (own === undefined || connected?.user.id !== own || connected.withdrawnAt !== null)
      return refuse('not_accepted', attempt);
    const { user } = connected;
    const decision = decideSignOn(policy, identity, { connected: user, byEmail: null });
    if (decision.outcome !== 'enter') {
      await withdraw(sign, user);
      return refuse('no_access', attempt);
    }
    await changeRole(sign, user, decision.change);
    const outcome = await sso.confirmSession(visitor);
    if (outcome.outcome === 'refused') return refuse('not_accepted', attempt);
    try {
      await recorder.act({ attempt, run: async () => undefined });
    } catch (fault) {
      await records.endSession(visitor);
      throw fault;
    }
    return { ...outcome, returnTo: null };
  }

  async function join(sign: SignOn, token: string): Promise<SignOnOutcome> {
    const { staff: users, policy, identity, attemptOf, refuse } = sign;
    const link = await records.recordingFaults('account.join', () => records.passwordLinkOf(token));
    const user = link === null ? null : (link.recipient?.user ?? (await users.findByEmail(link.invitation.email)));
    if (link === null || user === null) return refuse('link_ended', attemptOf('account.join'));
    const attempt = attemptOf('account.join', user);
    const { user: connected = null, withdrawnAt = null } = (await users.identities.find(identity)) ?? {};
    if (connected !== null && connected.id !== user.id) return refuse('taken', attempt);
    // The rules hold for users who join, too.
    const decision = decideSignOn(policy, identity, { connected: user, byEmail: null });
    if (decision.outcome !== 'enter') return refuse('no_access', attempt);
    const { recipient } = link;
    const proof: ConnectionProof =
      recipient === null ? { kind: 'token', token } : { kind: 'mark', mark: recipient.password?.mark ?? null };
    const outcome = await connect(sign, user, proof, attempt);
    if (outcome !== 'connected') return refusedWith(outcome === 'taken' ? 'taken' : 'link_ended');
    return enter(sign, { user, withdrawnAt }, decision.change);
  }

  async function signIn(sign: SignOn): Promise<SignOnOutcome> {
    const { staff: users, policy, identity, attemptOf, refuse } = sign;
    const { user: connected = null, withdrawnAt = null } = (await users.identities.find(identity)) ?? {};
    const byEmail = identity.email === null ? null : await users.findByEmail(identity.email);
    const decision = decideSignOn(policy, identity, { connected, byEmail });
    switch (decision.outcome) {
      case 'enter':
        return enter(sign, { user: decision.user, withdrawnAt }, decision.change);
      case 'connect': {
        const { user, change } = decision;
        const outcome = await connect(sign, user, { kind: 'email' }, attemptOf('account.connect_provider', user));
        return outcome === 'connected' ? enter(sign, { user, withdrawnAt }, change) : refusedWith('taken');
      }
      case 'provision':
        return provision(sign, decision.input);
      case 'withdraw': {
        const { user } = decision;
        await withdraw(sign, user);
        return refuse('no_access', attemptOf('account.sign_in', user));
      }
      case 'refuse':
        return refuse(decision.reason);
      default:
        return decision satisfies never;
    }
  }

  async function provision(sign: SignOn, input: NewUser): Promise<SignOnOutcome> {
    const { staff: users, identity, attemptOf, refuse } = sign;
    const client = input.clientId === undefined ? null : await clients.find(input.clientId);
    // The rule names a client that does not exist.
    if (input.clientId !== undefined && client === null) return refuse('no_access');
    const clientId = client === null ? undefined : liveIdOf(client.client);
    const attempt = { ...attemptOf('account.provision'), clientId: clientId ?? null };
    const made = await recorder.act({
      attempt: { ...attempt, detail: { ...attempt.detail, role: input.role } },
      run: () => users.identities.provision({ ...input, clientId }, identity),
      refusalOf: ({ outcome }) => (outcome === 'exists' ? 'USER_EXISTS' : null),
      made: (result) => (result.outcome === 'created' ? { targetId: result.user.id } : { targetId: '' }),
    });
    return made.outcome === 'created'
      ? enter(sign, { user: made.user, withdrawnAt: null }, null)
      : refusedWith('no_account');
  }

  async function connect(
    { staff: users, identity }: SignOn,
    user: User,
    proof: ConnectionProof,
    attempt: Attempt,
  ): Promise<'connected' | 'refused' | 'taken'> {
    const { outcome } = await recorder.act({
      attempt,
      run: () => users.identities.connect(user.id, identity, proof),
      refusalOf: (result) => {
        if (result.outcome === 'connected') return null;
        return AUDIT_CODES[result.outcome === 'taken' ? 'taken' : 'link_ended'];
      },
    });
    return outcome;
  }

  async function withdraw({ staff: users, attemptOf }: SignOn, user: User): Promise<void> {
    const attempt = attemptOf('account.withdraw_access', user);
    await recorder.act({ attempt, run: () => users.identities.withdraw(user.id) });
  }

  /** Stores the role that the claims give. */
  async function changeRole(
    { staff: users, attemptOf }: SignOn,
    user: User,
    change: NewRole | null,
  ): Promise<void> {
    if (change === null) return;
    const attempt = attemptOf('account.change_role', user);
    await recorder.act({
      attempt: { ...attempt, detail: { ...attempt.detail, ...change } },
      // The provider decides, also about the last owner of a team.
      run: () => users.changeRole(user.id, change, { keepOwner: false }),
    });
  }

  /** Starts the session of a user whom the provider has proved, after a change of the role that the claims give. */
  async function enter(
    sign: SignOn,
    { user, withdrawnAt }: ConnectedUser,
    change: NewRole | null,
  ): Promise<SignOnOutcome> {
    const { sso, policy, identity, attemptOf, visitor } = sign;
    await changeRole(sign, user, change);
    const role = change?.role ?? user.role;
    const use = { userId: user.id, key: identity, withdrawnAt, endPassword: sso.passwordsOff.includes(role) };
    const begin = () => sso.startSession(visitor, { use, withSecondFactor: hasTrustedFactor(policy, identity) });
    const attempt = async () => attemptOf('account.sign_in', user);
    const attempted = await records.recordingFaults('account.sign_in', begin, attempt);
    return records.recorded(visitor, attempted, attempt, { provider: policy.id });
  }
}

/** A provider's answer that was verified. */
interface SignOn {
  readonly sso: SingleSignOn;
  readonly staff: ManageStaff;
  readonly policy: ProviderPolicy;
  readonly identity: VerifiedIdentity;
  readonly visitor: Visitor;
  readonly attemptOf: (action: AuditAction, user?: User) => Attempt;
  /** Refuses with an entry. */
  readonly refuse: (reason: SignOnRefusal, attempt?: Attempt) => Promise<SignOnOutcome>;
}

/** Refuses without a further entry. */
function refusedWith(reason: SignOnRefusal): SignOnOutcome {
  return { outcome: 'not_signed_on', reason, setCookies: [] };
}

/** Adds the cookies of the finished request and the path that it was for. */
function withCookies(
  outcome: SignOnOutcome,
  setCookies: readonly string[],
  returnTo: string | null,
): SignOnOutcome {
  switch (outcome.outcome) {
    case 'signed_in':
    case 'second_factor_needed':
    case 'confirmed':
      return { ...outcome, setCookies: [...setCookies, ...outcome.setCookies], returnTo };
    case 'not_signed_on':
      return { ...outcome, setCookies };
    default:
      return outcome;
  }
}
