import {
  type Accounts,
  isConfirmed,
  type SecondFactorSetup,
  type SignInOutcome,
  STAFF_SESSION,
  type Visitor,
} from '@countersign/domain/staff';
import { normalBackupCode } from '../credentials/backup-codes.ts';
import { deleteSecondFactor } from '../staff/delete-second-factor.ts';
import { checkOwnIdentity, hasPassword, isOwnPassword } from './confirm-identity.ts';
import type { AccountsParts } from './parts.ts';

type SecondFactor = Pick<
  Accounts,
  'enterSecondFactor' | 'beginSecondFactor' | 'confirmSecondFactor' | 'hasSecondFactor' | 'removeSecondFactor'
>;

const TOTP = /^\d{6}$/;
const REFUSED = { outcome: 'refused' } as const;

/** Checks codes of a device, and backup codes. */
export function createSecondFactor(parts: AccountsParts): SecondFactor {
  const { database, sessions, cookies, challenges, secondFactors } = parts;
  const { attempts, devices, usedCodes, currentSession, clock } = parts;

  /** Uses a code up before it is checked, and releases it if it was wrong. */
  async function once(userId: string, code: string, enter: () => Promise<boolean>): Promise<boolean> {
    if (!(await usedCodes.take(userId, code))) return false;
    const isRight = await enter();
    if (!isRight) await usedCodes.giveBack(userId, code);
    return isRight;
  }

  /** Signs a user in with a session that a code began. It replaces that of the browser. */
  async function startSession({ cookies: header }: Visitor, userId: string): Promise<SignInOutcome> {
    const token = await sessions.begin(userId, { withSecondFactor: true });
    if (token === null) return REFUSED;
    const previous = cookies.read(header, cookies.names.session);
    if (previous !== null) await sessions.end(previous);
    return {
      outcome: 'signed_in',
      setCookies: [cookies.keep(cookies.names.session, token, STAFF_SESSION.seconds)],
    };
  }

  return {
    async enterSecondFactor(visitor, text) {
      const pending = await challenges.find(visitor.cookies);
      if (pending === null) return REFUSED;
      const { challenge, userId } = pending;
      const code = text.replaceAll(/\s/g, '');
      const outcome = await attempts.withCode<SignInOutcome>(visitor, userId, {
        async run() {
          const isRight = TOTP.test(code)
            ? await once(userId, code, () => secondFactors.isCode(userId, code))
            : await secondFactors.useBackupCode(userId, normalBackupCode(code));
          return isRight && (await challenges.end(challenge)) ? startSession(visitor, userId) : REFUSED;
        },
        isWrong,
      });
      if (outcome.outcome !== 'signed_in') return outcome;
      const remembered = await devices.remember(visitor.cookies, { userId });
      const ended = cookies.removal(cookies.names.challenge);
      return { ...outcome, setCookies: [...outcome.setCookies, ended, ...remembered] };
    },

    async beginSecondFactor(visitor, password) {
      const session = await currentSession(visitor.cookies);
      const token = cookies.read(visitor.cookies, cookies.names.session);
      if (session === null || token === null) return REFUSED;
      return attempts.inSession<typeof REFUSED | ({ readonly outcome: 'begun' } & SecondFactorSetup)>(
        token,
        'password',
        {
          async run() {
            const { user } = session;
            const isOwner = (await hasPassword(parts, user.id))
              ? await isOwnPassword(parts, user.id, password)
              : isConfirmed(session, clock.now());
            const begun = isOwner ? await secondFactors.begin(user) : null;
            return begun === null ? REFUSED : { outcome: 'begun', ...begun };
          },
          isWrong,
        },
      );
    },

    async confirmSecondFactor(visitor, text) {
      const session = await currentSession(visitor.cookies);
      const token = cookies.read(visitor.cookies, cookies.names.session);
      // If the device is already confirmed, a right code would change nothing, not even the session.
      if (session === null || token === null || session.hasSecondFactor) return REFUSED;
      const { id } = session.user;
      const code = text.replaceAll(/\s/g, '');
      return attempts.inSession<SignInOutcome>(token, 'code', {
        async run() {
          if (!TOTP.test(code)) return REFUSED;
          const isConfirmed = await once(id, code, () => secondFactors.confirm(id, code));
          return isConfirmed ? startSession(visitor, id) : REFUSED;
        },
        isWrong,
      });
    },

    async hasSecondFactor(visitor) {
      return (await currentSession(visitor.cookies))?.hasSecondFactor ?? false;
    },

    async removeSecondFactor(visitor, password) {
      const session = await currentSession(visitor.cookies);
      // This set-up began with the password alone while another was being confirmed. It must not replace the confirmed
      // one.
      if (session === null || (session.hasSecondFactor && !session.withSecondFactor)) return REFUSED;
      const { id } = session.user;
      const checked = await checkOwnIdentity(parts, { visitor, session, password });
      if (checked.outcome === 'throttled') return checked;
      if (checked.outcome === 'wrong') return REFUSED;
      const db = await database();
      await db.transaction().execute((transaction) => deleteSecondFactor(transaction, id));
      return { outcome: 'removed' };
    },
  };
}

/** Whether a password or a code was wrong. */
export function isWrong({ outcome }: { readonly outcome: string }): boolean {
  return outcome === 'refused';
}
