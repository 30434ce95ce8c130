import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt } from '../audit/audit-recorder.ts';
import type { JsonObject } from '../input/json.ts';
import type {
  PasskeyPurpose,
  PasskeyRefused,
  PasskeyRequest,
  Passkeys,
  VerifiedPasskey,
} from '../staff/passkeys.ts';
import { PASSKEY_NAME_MAX } from '../staff/passkeys.ts';
import type { StaffSession } from '../staff/sign-in.ts';
import type { CookieChange, SignInOutcome, Throttled, Visitor } from '../staff/sign-in-outcome.ts';
import type { User } from '../staff/user.ts';
import { type AccountPorts, type AccountRecords, REFUSED, refusalOf } from './account-records.ts';
import type { CallerContext } from './caller.ts';
import { isConfirmed } from './rights.ts';

/** Whether passkeys of a session can be changed, or what the user does first. */
export type PasskeyAccess = 'allowed' | 'second_factor_needed' | 'confirmation_needed';

/** Signing in with a passkey, and the passkeys of a user. Each is recorded. */
export interface PasskeyActions {
  /** Begins a sign-in with a passkey. Leaves no entry, because nothing changes. Null if there is nothing to begin. */
  beginPasskey(visitor: Visitor, purpose: PasskeyPurpose): Promise<PasskeyRequest | null>;
  /** Signs in with the answer of an authenticator. */
  enterPasskey(
    visitor: Visitor,
    answer: { readonly purpose: PasskeyPurpose; readonly response: string },
  ): Promise<SignInOutcome>;
  /**
   * Returns whether the signed-in user may change their passkeys. They have set up a second factor, whose backup codes remain when
   * the passkey is lost, signed in with it, and have confirmed their identity.
   */
  passkeyAccess(visitor: Visitor): Promise<PasskeyAccess>;
  /** Begins to add a passkey. Null unless `passkeyAccess` allows it. */
  beginAddingPasskey(visitor: Visitor): Promise<PasskeyRequest | null>;
  /** Adds a passkey with the answer of an authenticator. Refused unless `passkeyAccess` allows it. */
  addPasskey(
    visitor: Visitor,
    answer: { readonly name: string; readonly response: string },
  ): Promise<
    | ({ readonly outcome: 'added' } & CookieChange)
    | { readonly outcome: 'refused' }
    | { readonly outcome: 'too_many' }
    | Throttled
  >;
  /** Removes a passkey. Refused unless `passkeyAccess` allows it, and for an unknown passkey. */
  removePasskey(
    visitor: Visitor,
    passkeyId: string,
  ): Promise<{ readonly outcome: 'removed' } | { readonly outcome: 'refused' }>;
}

export function createPasskeyActions(
  ports: AccountPorts,
  { session }: CallerContext,
  records: AccountRecords,
): PasskeyActions {
  const { accounts, clock, recorder, throttledSessions } = ports;
  const { passkeys } = accounts;

  function attemptOf(action: AuditAction, user: User | null, detail: JsonObject = {}): Attempt {
    const about = user !== null && { targetId: user.id, clientId: user.clientId };
    return { ...records.attemptOf(action), ...about, detail: { passkey: true, ...detail } };
  }

  async function refuse({ user, check }: Pick<PasskeyRefused, 'user' | 'check'>): Promise<SignInOutcome> {
    await recorder.refused(attemptOf('account.sign_in', user, { check }), 'CREDENTIALS_REFUSED');
    return REFUSED;
  }

  /** A passkey signs in where the password would: of users who sign in at a provider, it is the second factor only. */
  async function maySignIn({ purpose, user, hasPassword }: VerifiedPasskey): Promise<boolean> {
    if (purpose === 'second_factor') return true;
    return hasPassword && ((await accounts.singleSignOn?.mayUsePassword(user)) ?? true);
  }

  async function accessOf(visitor: Visitor): Promise<PasskeyAccess> {
    const isOn = session?.withSecondFactor === true && (await accounts.hasSecondFactor(visitor));
    if (session === null || !isOn) return 'second_factor_needed';
    return isConfirmed(session, clock.now()) ? 'allowed' : 'confirmation_needed';
  }

  /** Returns the port and the session if passkeys may be changed; null, with an entry of the refusal, if not. */
  async function toChange(
    action: AuditAction,
    visitor: Visitor,
  ): Promise<{ port: Passkeys; session: StaffSession } | null> {
    if (passkeys !== undefined && session !== null && (await accessOf(visitor)) === 'allowed') {
      return { port: passkeys, session };
    }
    await recorder.refused(records.attemptOf(action), 'NOT_ALLOWED');
    return null;
  }

  return {
    beginPasskey: async (visitor, purpose) => (await passkeys?.begin(visitor, purpose)) ?? null,

    async enterPasskey(visitor, answer) {
      if (passkeys === undefined) return REFUSED;
      const attempt = async () => attemptOf('account.sign_in', null);
      const checked = await records.recordingFaults(
        'account.sign_in',
        () => passkeys.finish(visitor, answer),
        attempt,
      );
      if (checked.outcome === 'refused') return refuse(checked);
      if (checked.outcome === 'throttled') return records.recorded(visitor, checked, attempt);
      const { user } = checked;
      if (!(await maySignIn(checked))) return refuse({ user, check: 'passkey' });
      const attemptOfUser = async () => attemptOf('account.sign_in', user);
      const begin = () => passkeys.startSession(visitor, checked);
      const begun = await records.recordingFaults('account.sign_in', begin, attemptOfUser);
      return records.recorded(visitor, begun, attemptOfUser, { passkey: true });
    },

    passkeyAccess: accessOf,

    async beginAddingPasskey(visitor) {
      if (passkeys === undefined || session === null || (await accessOf(visitor)) !== 'allowed') return null;
      return passkeys.beginAdding(visitor, session.user);
    },

    async addPasskey(visitor, { name, response }) {
      const action = 'account.add_passkey';
      const change = await toChange(action, visitor);
      if (change === null) return REFUSED;
      const { user, signedInAt } = change.session;
      const attempt = records.attemptOf(action);
      const trimmed = [...name.trim()].slice(0, PASSKEY_NAME_MAX).join('');
      return throttledSessions.run({ key: `${action} ${user.id} ${signedInAt.getTime()}`, attempt }, () =>
        recorder.act({
          attempt,
          run: () => change.port.finishAdding(visitor, { user, name: trimmed, response }),
          refusalOf: (result) => (result.outcome === 'too_many' ? 'TOO_MANY_PASSKEYS' : refusalOf(result)),
        }),
      );
    },

    async removePasskey(visitor, passkeyId) {
      const action = 'account.remove_passkey';
      const change = await toChange(action, visitor);
      if (change === null) return REFUSED;
      return recorder.act<{ outcome: 'removed' | 'refused' }>({
        attempt: records.attemptOf(action),
        run: async () => {
          const isRemoved = await change.port.remove(change.session.user.id, passkeyId);
          return { outcome: isRemoved ? 'removed' : 'refused' };
        },
        refusalOf: ({ outcome }) => (outcome === 'removed' ? null : 'NOT_FOUND'),
      });
    },
  };
}
