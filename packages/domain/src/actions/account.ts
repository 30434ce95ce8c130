import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder, RecordedAction } from '../audit/audit-recorder.ts';
import type { Accounts, SignInOutcome, Visitor } from '../staff/accounts.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { CallerContext } from './caller.ts';
import { createRecordEntry } from './record-sign-in.ts';

/**
 * What users do with their own account: signing in and out, joining, the second factor. Each is recorded.
 *
 * Who signs in is known only once they have: their line follows, and where it cannot be written their session is ended
 * again and the operation rejects. So there is no session without a line. Everything else is recorded before it is done.
 */
export type AccountActions = Pick<
  Accounts,
  | 'signIn'
  | 'enterSecondFactor'
  | 'signOut'
  | 'acceptInvitation'
  | 'beginSecondFactor'
  | 'confirmSecondFactor'
  | 'removeSecondFactor'
  | 'confirmIdentity'
>;

export interface AccountPorts {
  readonly accounts: Accounts;
  /** Tells whose account was tried. Left out, a line does not say. */
  readonly staff: ManageStaff | undefined;
  readonly recorder: AuditRecorder;
  readonly onFault: (fault: unknown) => void;
}

export function createAccountActions(ports: AccountPorts, caller: CallerContext): AccountActions {
  const { accounts, staff, recorder } = ports;
  const { actor, from, team, session } = caller;
  const entered = createRecordEntry(ports, from);

  const attemptOf = (action: AuditAction): Attempt => {
    return { actor, from, action, clientId: team?.clientId ?? null, targetId: null, detail: {} };
  };

  /** About the account with this e-mail, as the line has it: by its id. */
  async function about(email: string, action: AuditAction): Promise<Attempt> {
    const user = (await staff?.findByEmail(email)) ?? null;
    return { ...attemptOf(action), targetId: user?.id ?? null, clientId: user?.clientId ?? null };
  }

  /** What came of an attempt to sign in. */
  async function recorded(
    visitor: Visitor,
    attempted: SignInOutcome,
    attempt: () => Promise<Attempt>,
  ): Promise<SignInOutcome> {
    const outcome = attempted.outcome === 'signed_in' ? await entered(visitor, attempted) : attempted;
    const code = refusalOf(outcome);
    if (code !== null) await recorder.refused(await attempt(), code);
    return outcome;
  }

  /** What only somebody who is signed in can do. */
  async function own<R extends Outcome>(
    action: AuditAction,
    act: Pick<RecordedAction<R>, 'onlyRefusals' | 'run'>,
  ): Promise<R | typeof REFUSED> {
    if (session !== null) return recorder.act({ attempt: attemptOf(action), ...act, refusalOf });
    await recorder.refused(attemptOf(action), 'NOT_ALLOWED');
    return REFUSED;
  }

  return {
    async signIn(visitor, input) {
      const outcome = await accounts.signIn(visitor, input);
      return recorded(visitor, outcome, () => about(input.email, 'account.sign_in'));
    },

    async enterSecondFactor(visitor, code) {
      const outcome = await accounts.enterSecondFactor(visitor, code);
      const attempt = { ...attemptOf('account.sign_in'), detail: { withSecondFactor: true } };
      return recorded(visitor, outcome, async () => attempt);
    },

    async signOut(visitor) {
      if (session === null) return accounts.signOut(visitor);
      return recorder.act({ attempt: attemptOf('account.sign_out'), run: () => accounts.signOut(visitor) });
    },

    async acceptInvitation(visitor, input) {
      const invitation = await accounts.invitationOf(input.token);
      if (invitation === null) {
        await recorder.refused(attemptOf('account.join'), 'LINK_INVALID');
        return REFUSED;
      }
      const outcome = await recorder.act({
        attempt: await about(invitation.email, 'account.join'),
        run: () => accounts.acceptInvitation(visitor, input),
        refusalOf,
      });
      if (outcome.outcome !== 'signed_in') return outcome;
      return recorded(visitor, outcome, () => about(invitation.email, 'account.sign_in'));
    },

    // Nothing holds before it is confirmed: what is begun is recorded where it is refused.
    beginSecondFactor: (visitor, password) =>
      own('account.add_second_factor', {
        onlyRefusals: true,
        run: () => accounts.beginSecondFactor(visitor, password),
      }),
    confirmSecondFactor: (visitor, code) =>
      own('account.add_second_factor', { run: () => accounts.confirmSecondFactor(visitor, code) }),
    removeSecondFactor: (visitor, password) =>
      own('account.remove_second_factor', { run: () => accounts.removeSecondFactor(visitor, password) }),
    confirmIdentity: (visitor, password) =>
      own('account.confirm_identity', { run: () => accounts.confirmIdentity(visitor, password) }),
  };
}

const REFUSED = { outcome: 'refused' } as const;

interface Outcome {
  readonly outcome: string;
}

/** As the line has it: which of e-mail, password, code and link was wrong is not told there either. */
function refusalOf({ outcome }: Outcome): string | null {
  switch (outcome) {
    case 'refused':
      return 'CREDENTIALS_REFUSED';
    case 'password_refused':
      return 'PASSWORD_REFUSED';
    case 'throttled':
      return 'RATE_LIMIT_EXCEEDED';
    default:
      return null;
  }
}
