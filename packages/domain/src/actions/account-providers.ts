import { decideSignOn } from '../staff/access-rules.ts';
import type { AccountPorts, AccountRecords } from './account-records.ts';
import type { CallerContext } from './caller.ts';
import type { SignOn, SignOnChanges, SignOnOutcome } from './sign-on-changes.ts';

/** What a verified answer means for the user who is signed in. */
export interface OwnIdentities {
  /** Confirms the identity of the session. The rules hold as at a sign-in. */
  confirm(sign: SignOn): Promise<SignOnOutcome>;
}

export function createOwnIdentities(
  { recorder }: Pick<AccountPorts, 'recorder'>,
  { session }: Pick<CallerContext, 'session'>,
  records: AccountRecords,
  { changeRole, withdraw }: SignOnChanges,
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
    },
  };
}
