import { decideSignOn, hasTrustedFactor } from '../staff/access-rules.ts';
import type { NewUser } from '../staff/new-user.ts';
import type { NewRole } from '../staff/role-change.ts';
import type { ConnectedUser, ConnectionProof } from '../staff/user-identities.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import type { AccountPorts, AccountRecords } from './account-records.ts';
import { refusedWith, type SignOn, type SignOnChanges, type SignOnOutcome } from './sign-on-changes.ts';

/** Sessions that begin with a verified answer. */
export interface SignOnEntry {
  /** Signs in the user of the identity, who may be connected or created first. */
  signIn(sign: SignOn): Promise<SignOnOutcome>;
  /** Connects the identity to the user of a one-time link, and signs in. */
  join(sign: SignOn, token: string): Promise<SignOnOutcome>;
}

export function createSignOnEntry(
  { clients, recorder }: Pick<AccountPorts, 'clients' | 'recorder'>,
  records: AccountRecords,
  { connect, withdraw, changeRole }: SignOnChanges,
): SignOnEntry {
  return { signIn, join };

  async function join(sign: SignOn, token: string): Promise<SignOnOutcome> {
    const { staff: users, policy, identity, attemptOf, refuse } = sign;
    const link = await records.recordingFaults('account.join', () => records.passwordLinkOf(token));
    const isWithheld = link?.invitation.withheldFor !== undefined;
    const user =
      link === null || isWithheld
        ? null
        : (link.recipient?.user ?? (await users.findByEmail(link.invitation.email)));
    if (link === null || user === null) return refuse('link_ended', attemptOf('account.join'));
    const attempt = attemptOf('account.join', user);
    const { user: connected = null, withdrawnAt = null } = (await users.identities.find(identity)) ?? {};
    if (connected !== null && connected.id !== user.id) return refuse('taken', attempt);
    // The rules hold for users who join, too.
    const decision = decideSignOn(policy, identity, { connected: user, byEmail: null });
    if (decision.outcome !== 'enter') return refuse('no_access', attempt);
    const { recipient } = link;
    const proof: ConnectionProof =
      recipient === null ? { kind: 'token', token } : { kind: 'mark', mark: recipient.passwordMark };
    const outcome = await connect(sign, user, proof, attempt);
    if (outcome !== 'connected') return refusedWith(sign, outcome === 'taken' ? 'taken' : 'link_ended');
    return enter(sign, { user, withdrawnAt }, decision.change);
  }

  async function signIn(sign: SignOn): Promise<SignOnOutcome> {
    const { staff: users, policy, identity, attemptOf, refuse } = sign;
    const { user: connected = null, withdrawnAt = null } = (await users.identities.find(identity)) ?? {};
    const byEmail = identity.email === null ? null : await users.findByEmail(identity.email);
    const isEmailUnverified = byEmail !== null && (await users.identities.hasUnverifiedEmail(byEmail.id));
    const decision = decideSignOn(policy, identity, { connected, byEmail, isEmailUnverified });
    switch (decision.outcome) {
      case 'enter':
        return enter(sign, { user: decision.user, withdrawnAt }, decision.change);
      case 'connect': {
        const { user, change } = decision;
        const outcome = await connect(sign, user, { kind: 'email' }, attemptOf('account.connect_provider', user));
        return outcome === 'connected' ? enter(sign, { user, withdrawnAt }, change) : refusedWith(sign, 'taken');
      }
      case 'provision':
        return provision(sign, decision);
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

  async function provision(
    sign: SignOn,
    { input, emailVerified }: { readonly input: NewUser; readonly emailVerified: boolean },
  ): Promise<SignOnOutcome> {
    const { staff: users, identity, attemptOf, refuse } = sign;
    const client = input.clientId === undefined ? null : await clients.find(input.clientId);
    // The rule names a client that does not exist.
    if (input.clientId !== undefined && client === null) return refuse('no_access');
    const clientId = client === null ? undefined : liveIdOf(client.client);
    const attempt = { ...attemptOf('account.provision'), clientId: clientId ?? null };
    const made = await recorder.act({
      attempt: { ...attempt, detail: { ...attempt.detail, role: input.role } },
      run: () => users.identities.provision({ ...input, clientId }, identity, { emailVerified }),
      refusalOf: ({ outcome }) => (outcome === 'exists' ? 'USER_EXISTS' : null),
      made: (result) => (result.outcome === 'created' ? { targetId: result.user.id } : { targetId: '' }),
    });
    return made.outcome === 'created'
      ? enter(sign, { user: made.user, withdrawnAt: null }, null)
      : refusedWith(sign, 'no_account');
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
    const outcome = await records.recorded(visitor, attempted, attempt, { provider: policy.id });
    return outcome.outcome === 'refused' ? refusedWith(sign, 'changed') : outcome;
  }
}
