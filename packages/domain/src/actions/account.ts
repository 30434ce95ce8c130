import type { AuditAction } from '../audit/audit-entry.ts';
import type { RecordedAction } from '../audit/audit-recorder.ts';
import type { Accounts, Invitation, JoinOutcome } from '../staff/accounts.ts';
import type { Throttled, Visitor } from '../staff/sign-in-outcome.ts';
import { createPasskeyActions, type PasskeyActions } from './account-passkeys.ts';
import { createProviderActions, type ProviderActions } from './account-providers.ts';
import { type AccountPorts, createAccountRecords, REFUSED, refusalOf } from './account-records.ts';
import { createSignOnActions, type SignOnActions } from './account-sign-on.ts';
import type { CallerContext } from './caller.ts';
import { isConfirmed } from './rights.ts';
import type { Outcome } from './throttled-sessions.ts';

/**
 * Signing in and out, joining, the second factor: actions of users on their own account. Each is recorded.
 *
 * A sign-in is recorded after it, because only then the user is known, and so is a confirmation, because wrong passwords
 * are counted. If the entry cannot be written, the session ends and the call rejects: there is no session and no
 * confirmation without an entry. Everything else is recorded before it runs.
 */
export interface AccountActions
  extends Pick<
      Accounts,
      | 'signIn'
      | 'enterSecondFactor'
      | 'signOut'
      | 'invitationOf'
      | 'acceptInvitation'
      | 'beginSecondFactor'
      | 'confirmSecondFactor'
      | 'removeSecondFactor'
      | 'confirmIdentity'
    >,
    SignOnActions,
    ProviderActions,
    PasskeyActions {
  /**
   * Queues a mail with a link to a new password, if the address has an account. The result and the work are the same if it has
   * none. Leaves no entry, because anyone can call it and it changes nothing; the new password does.
   * @throws Error in a service that sends no mails to users
   */
  requestPasswordReset(
    visitor: Visitor,
    input: { readonly email: string },
  ): Promise<{ readonly outcome: 'requested' } | Throttled>;
  /** Returns the user of a mailed link that removes a second factor; null for any other. Changes nothing. */
  lostFactorOf(token: string): Promise<Invitation | null>;
  /** Removes the second factor of the user of a mailed link, and ends all their sessions. Needs their password. */
  removeLostFactor(
    visitor: Visitor,
    input: { readonly token: string; readonly password: string },
  ): Promise<{ readonly outcome: 'removed' } | { readonly outcome: 'refused' } | Throttled>;
}

export function createAccountActions(ports: AccountPorts, caller: CallerContext): AccountActions {
  const { accounts, staff, mail, clock, recorder, throttledSessions } = ports;
  const { actor, from, session } = caller;

  const records = createAccountRecords(ports, caller);
  const { attemptOf, attemptOn, recordDone, recordingFaults, recorded, passwordLinkOf, nameOfClient } = records;

  /** Runs and records what only a signed-in user may do. */
  async function runSignedIn<R extends Outcome>(
    action: AuditAction,
    recordedAction: Pick<RecordedAction<R>, 'onlyRefusals' | 'run'>,
  ): Promise<R | typeof REFUSED | Throttled> {
    if (session === null) {
      await recorder.refused(attemptOf(action), 'NOT_ALLOWED');
      return REFUSED;
    }
    const attempt = attemptOf(action);
    return throttledSessions.run({ key: `${action} ${actor.id} ${session.signedInAt.getTime()}`, attempt }, () =>
      recorder.act({ attempt, ...recordedAction, refusalOf }),
    );
  }

  return {
    ...createSignOnActions(ports, caller, records),
    ...createProviderActions(ports, caller, records),
    ...createPasskeyActions(ports, caller, records),

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

    acceptInvitation(visitor, input) {
      const joining = attemptOf('account.join');
      return throttledSessions.run({ key: `account.join ${from}`, attempt: joining }, async () => {
        const link = await recordingFaults('account.join', () => passwordLinkOf(input.token));
        if (link === null) {
          await recorder.refused(joining, 'LINK_INVALID');
          return REFUSED;
        }
        const { email, isReset, withheldFor } = link.invitation;
        const attempt =
          withheldFor === undefined
            ? await attemptOn(email, isReset === true ? 'account.reset_password' : 'account.join')
            : { ...joining, clientId: withheldFor };
        const outcome = await recorder.act<JoinOutcome>({
          attempt,
          run: async () => {
            const clientName = await nameOfClient(attempt.clientId);
            if (link.recipient === null) return accounts.acceptInvitation(visitor, { ...input, clientName });
            const { user, passwordMark: mark } = link.recipient;
            const { password } = input;
            return accounts.replacePassword(visitor, { userId: user.id, mark, password, clientName });
          },
          refusalOf,
        });
        if (outcome.outcome !== 'signed_in') return outcome;
        return recorded(visitor, outcome, () => attemptOn(email, 'account.sign_in'));
      });
    },

    invitationOf: async (token) => (await passwordLinkOf(token))?.invitation ?? null,

    async requestPasswordReset(visitor, { email }) {
      if (mail === undefined) throw new Error('this service sends no mails to users');
      const throttled = await accounts.countResetRequest(visitor, email);
      if (throttled !== null) return throttled;
      const user = (await staff?.findByEmail(email)) ?? null;
      const mayHave = user !== null && ((await accounts.singleSignOn?.mayUsePassword(user)) ?? true);
      // An unknown address queues a mail to no one, so that it takes as long.
      await mail.mails.queue('user.password_reset', mayHave ? user.id : mail.ids.next());
      return { outcome: 'requested' };
    },

    async lostFactorOf(token) {
      const recipient = await mail?.links.read(token, 'second_factor');
      return recipient ? { email: recipient.user.email, name: recipient.user.name } : null;
    },

    async removeLostFactor(visitor, { token, password }) {
      const action = 'account.reset_second_factor';
      const recipient = await recordingFaults(action, async () => mail?.links.read(token, 'second_factor'));
      const mark = recipient?.secondFactor?.mark ?? null;
      if (!recipient || mark === null) {
        await recorder.refused(attemptOf(action), 'LINK_INVALID');
        return REFUSED;
      }
      const { id: userId, clientId } = recipient.user;
      const attempt = { ...attemptOf(action), targetId: userId, clientId };
      return throttledSessions.run({ key: `${action} ${userId} ${from}`, attempt }, () =>
        recorder.act({
          attempt,
          run: () => accounts.removeLostFactor(visitor, { userId, mark, password }),
          refusalOf,
        }),
      );
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
      if (outcome.outcome === 'confirmed' && !holds) {
        await recordDone(visitor, attemptOf('account.confirm_identity'));
      }
      return outcome;
    },
  };
}
