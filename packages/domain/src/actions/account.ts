import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder, RecordedAction } from '../audit/audit-recorder.ts';
import type { Clock } from '../runtime.ts';
import type { Accounts, SignInOutcome, Throttled, Visitor } from '../staff/accounts.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { type CallerContext, callerContext } from './caller.ts';
import { isConfirmed } from './rights.ts';
import type { Waits } from './waits.ts';

/**
 * Signing in and out, joining, the second factor: actions of users on their own account. Each is recorded.
 *
 * A sign-in is recorded after it, because only then the user is known, and so is a confirmation, because wrong passwords
 * are counted. If the entry cannot be written, the session ends and the call rejects: there is no session and no
 * confirmation without an entry. Everything else is recorded before it runs.
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
  /** Finds the account that a sign-in tried. Without it, entries of refused sign-ins name no account. */
  readonly staff: ManageStaff | undefined;
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly clock: Clock;
  readonly recorder: AuditRecorder;
  readonly waits: Waits;
  readonly onFault: (fault: unknown) => void;
}

export function createAccountActions(ports: AccountPorts, caller: CallerContext): AccountActions {
  const { accounts, staff, clients, clock, recorder, waits, onFault } = ports;
  const { actor, from, team, session } = caller;

  const attemptOf = (action: AuditAction): Attempt => {
    return { actor, from, action, clientId: team?.clientId ?? null, targetId: null, detail: {} };
  };

  /** An attempt on the account with this e-mail address, which the entry names by its id. */
  async function attemptOn(email: string, action: AuditAction): Promise<Attempt> {
    const user = (await staff?.findByEmail(email)) ?? null;
    return { ...attemptOf(action), targetId: user?.id ?? null, clientId: user?.clientId ?? null };
  }

  async function endSession(visitor: Visitor): Promise<void> {
    try {
      await accounts.signOut(visitor);
    } catch (fault) {
      // The session's cookies are never sent.
      onFault(fault);
    }
  }

  /** Records the session that has just begun. If its entry cannot be written, ends the session and rejects. */
  async function recordSession({ clientAddress }: Visitor, outcome: SignedIn): Promise<SignInOutcome> {
    const visitor = { cookies: cookieHeaderOf(outcome.setCookies), clientAddress };
    try {
      const begun = await accounts.identify(visitor.cookies);
      // A new password or the removal of the account may have ended it already.
      if (begun === null) return REFUSED;
      const user = callerContext({ kind: 'user', session: begun, from: clientAddress });
      const detail = { withSecondFactor: begun.withSecondFactor };
      const about = { actor: user.actor, clientId: user.team?.clientId ?? null, detail };
      await recorder.act({ attempt: { ...attemptOf('account.sign_in'), ...about }, run: async () => undefined });
      return outcome;
    } catch (fault) {
      await endSession(visitor);
      throw fault;
    }
  }

  /** Returns the name of a client, which is an obvious guess at the passwords of its team. */
  async function nameOfClient(clientId: string | null): Promise<string | undefined> {
    return clientId === null ? undefined : (await clients.find(clientId))?.client.name;
  }

  /** Runs part of a sign-in or a join. A fault leaves an entry, even if the tried account cannot be found meanwhile. */
  async function recordingFaults<T>(
    action: AuditAction,
    run: () => Promise<T>,
    attempt: () => Promise<Attempt> = async () => attemptOf(action),
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      await recorder.notDone(await attempt().catch(() => attemptOf(action)), error);
      throw error;
    }
  }

  /** Records the outcome of a sign-in. */
  async function recorded(
    visitor: Visitor,
    attempted: SignInOutcome,
    attempt: () => Promise<Attempt>,
  ): Promise<SignInOutcome> {
    const outcome = attempted.outcome === 'signed_in' ? await recordSession(visitor, attempted) : attempted;
    const code = refusalOf(outcome);
    if (code !== null) await recorder.refused(await attempt(), code);
    return outcome;
  }

  /** Runs and records what only a signed-in user may do. */
  async function runSignedIn<R extends Outcome>(
    action: AuditAction,
    recordedAction: Pick<RecordedAction<R>, 'onlyRefusals' | 'run'>,
  ): Promise<R | typeof REFUSED | Throttled> {
    if (session === null) {
      await recorder.refused(attemptOf(action), 'NOT_ALLOWED');
      return REFUSED;
    }
    const key = `${action} ${actor.id} ${session.signedInAt.getTime()}`;
    const wait = waits.left(key);
    if (wait !== null) {
      await recorder.refused(attemptOf(action), 'RATE_LIMIT_EXCEEDED');
      return wait;
    }
    const outcome = await recorder.act({ attempt: attemptOf(action), ...recordedAction, refusalOf });
    if (isThrottled(outcome)) waits.begin(key, outcome);
    return outcome;
  }

  return {
    async signIn(visitor, input) {
      const attempt = () => attemptOn(input.email, 'account.sign_in');
      const signIn = () => accounts.signIn(visitor, input);
      return recorded(visitor, await recordingFaults('account.sign_in', signIn, attempt), attempt);
    },

    async enterSecondFactor(visitor, code) {
      const attempt = async () => ({ ...attemptOf('account.sign_in'), detail: { withSecondFactor: true } });
      const enter = () => accounts.enterSecondFactor(visitor, code);
      return recorded(visitor, await recordingFaults('account.sign_in', enter, attempt), attempt);
    },

    async signOut(visitor) {
      if (session === null) return accounts.signOut(visitor);
      return recorder.act({ attempt: attemptOf('account.sign_out'), run: () => accounts.signOut(visitor) });
    },

    async acceptInvitation(visitor, input) {
      const key = `account.join ${from}`;
      const wait = waits.left(key);
      if (wait !== null) {
        await recorder.refused(attemptOf('account.join'), 'RATE_LIMIT_EXCEEDED');
        return wait;
      }
      const invitation = await recordingFaults('account.join', () => accounts.invitationOf(input.token));
      if (invitation === null) {
        await recorder.refused(attemptOf('account.join'), 'LINK_INVALID');
        return REFUSED;
      }
      const attempt = await attemptOn(invitation.email, 'account.join');
      const outcome = await recorder.act({
        attempt,
        run: async () =>
          accounts.acceptInvitation(visitor, { ...input, clientName: await nameOfClient(attempt.clientId) }),
        refusalOf,
      });
      if (outcome.outcome === 'throttled') waits.begin(key, outcome);
      if (outcome.outcome !== 'signed_in') return outcome;
      return recorded(visitor, outcome, () => attemptOn(invitation.email, 'account.sign_in'));
    },

    // Nothing changes before the second factor is confirmed, so only a refusal is recorded.
    beginSecondFactor: (visitor, password) =>
      runSignedIn('account.add_second_factor', {
        onlyRefusals: true,
        run: () => accounts.beginSecondFactor(visitor, password),
      }),
    confirmSecondFactor: (visitor, code) =>
      runSignedIn('account.add_second_factor', { run: () => accounts.confirmSecondFactor(visitor, code) }),
    removeSecondFactor: (visitor, password) =>
      runSignedIn('account.remove_second_factor', { run: () => accounts.removeSecondFactor(visitor, password) }),

    async confirmIdentity(visitor, password) {
      const holds = session !== null && isConfirmed(session, clock.now());
      const outcome = await runSignedIn('account.confirm_identity', {
        onlyRefusals: true,
        run: () => accounts.confirmIdentity(visitor, password),
      });
      // A confirmation that already holds stays as it is.
      if (outcome.outcome !== 'confirmed' || holds) return outcome;
      try {
        await recorder.act({ attempt: attemptOf('account.confirm_identity'), run: async () => undefined });
      } catch (fault) {
        await endSession(visitor);
        throw fault;
      }
      return outcome;
    },
  };
}

const REFUSED = { outcome: 'refused' } as const;

interface Outcome {
  readonly outcome: string;
}

function isThrottled(outcome: Outcome | Throttled): outcome is Throttled {
  return outcome.outcome === 'throttled';
}

type SignedIn = SignInOutcome & { readonly outcome: 'signed_in' };

/** Returns the code of a refusal for the entry, or null. It does not say which of e-mail, password, code and link was wrong. */
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

/** Returns the `Cookie` header that a browser sends after it received these. */
function cookieHeaderOf(setCookies: readonly string[]): string {
  const pairs = setCookies.map((line) => line.split(';', 1)[0] ?? '');
  // A pair without a value deletes its cookie.
  return pairs.filter((pair) => pair.indexOf('=') < pair.length - 1).join('; ');
}
