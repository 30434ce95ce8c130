import type { AuditAction } from '../audit/audit-entry.ts';
import type { Act, Intent, RecordAct } from '../audit/record-act.ts';
import type { Accounts, SignInOutcome, Visitor } from '../staff/accounts.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { NoteRefused } from './note-refused.ts';
import { createRecordEntry } from './record-entry.ts';
import type { Standing } from './standing.ts';

/**
 * What somebody does with their own account, recorded. The visitor of each operation is whoever the desks are bound to.
 *
 * Who signs in is known only once they have: their line follows, and where it cannot be written their session is ended
 * again and the operation rejects. So there is no session without a line. Everything else is recorded before it is done.
 */
export type AccountDesk = Pick<
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
  readonly record: RecordAct;
  readonly noteRefused: NoteRefused;
  readonly onFault: (fault: unknown) => void;
}

export function createAccountDesk(ports: AccountPorts, standing: Standing): AccountDesk {
  const { accounts, staff, record, noteRefused } = ports;
  const { actor, from, team, session } = standing;
  const entered = createRecordEntry(ports, from);

  const intentOf = (action: AuditAction): Intent => {
    return { actor, from, action, clientId: team?.clientId ?? null, targetId: null, detail: {} };
  };

  /** About the account with this e-mail, as the line has it: by its id. */
  async function about(email: string, action: AuditAction): Promise<Intent> {
    const user = (await staff?.findByEmail(email)) ?? null;
    return { ...intentOf(action), targetId: user?.id ?? null, clientId: user?.clientId ?? null };
  }

  /** What came of an attempt to sign in. */
  async function recorded(
    visitor: Visitor,
    attempted: SignInOutcome,
    intent: () => Promise<Intent>,
  ): Promise<SignInOutcome> {
    const outcome = attempted.outcome === 'signed_in' ? await entered(visitor, attempted) : attempted;
    const code = refusalOf(outcome);
    if (code !== null) await noteRefused(await intent(), code);
    return outcome;
  }

  /** What only somebody who is signed in can do. */
  async function own<R extends Outcome>(
    action: AuditAction,
    act: Pick<Act<R>, 'quiet' | 'carryOut'>,
  ): Promise<R | typeof REFUSED> {
    if (session !== null) return record.act({ intent: intentOf(action), ...act, refusal: refusalOf });
    await noteRefused(intentOf(action), 'NOT_ALLOWED');
    return REFUSED;
  }

  return {
    async signIn(visitor, input) {
      const outcome = await accounts.signIn(visitor, input);
      return recorded(visitor, outcome, () => about(input.email, 'account.sign_in'));
    },

    async enterSecondFactor(visitor, code) {
      const outcome = await accounts.enterSecondFactor(visitor, code);
      const attempt = { ...intentOf('account.sign_in'), detail: { withSecondFactor: true } };
      return recorded(visitor, outcome, async () => attempt);
    },

    async signOut(visitor) {
      if (session === null) return accounts.signOut(visitor);
      return record.act({ intent: intentOf('account.sign_out'), carryOut: () => accounts.signOut(visitor) });
    },

    async acceptInvitation(visitor, input) {
      const invitation = await accounts.invitationOf(input.token);
      if (invitation === null) {
        await noteRefused(intentOf('account.join'), 'LINK_INVALID');
        return REFUSED;
      }
      const outcome = await record.act({
        intent: await about(invitation.email, 'account.join'),
        carryOut: () => accounts.acceptInvitation(visitor, input),
        refusal: refusalOf,
      });
      if (outcome.outcome !== 'signed_in') return outcome;
      return recorded(visitor, outcome, () => about(invitation.email, 'account.sign_in'));
    },

    // Nothing holds before it is confirmed: what is begun is recorded where it is refused.
    beginSecondFactor: (visitor, password) =>
      own('account.add_second_factor', {
        quiet: true,
        carryOut: () => accounts.beginSecondFactor(visitor, password),
      }),
    confirmSecondFactor: (visitor, code) =>
      own('account.add_second_factor', { carryOut: () => accounts.confirmSecondFactor(visitor, code) }),
    removeSecondFactor: (visitor, password) =>
      own('account.remove_second_factor', { carryOut: () => accounts.removeSecondFactor(visitor, password) }),
    confirmIdentity: (visitor, password) =>
      own('account.confirm_identity', { carryOut: () => accounts.confirmIdentity(visitor, password) }),
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
