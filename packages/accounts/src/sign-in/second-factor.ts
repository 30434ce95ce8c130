import {
  type Accounts,
  isConfirmed,
  type SecondFactorSetup,
  type SignInOutcome,
  type Visitor,
} from '@countersign/domain/staff';
import type { AuthAnswer, AuthCalls } from '../better-auth/auth-calls.ts';
import { normalBackupCode } from '../credentials/backup-codes.ts';
import { deleteSecondFactor } from '../staff/second-factors.ts';
import { checkOwnIdentity, hasPassword } from './confirm-identity.ts';
import type { AccountsParts } from './parts.ts';

type SecondFactor = Pick<
  Accounts,
  'enterSecondFactor' | 'beginSecondFactor' | 'confirmSecondFactor' | 'hasSecondFactor' | 'removeSecondFactor'
>;

const TOTP = /^\d{6}$/;
const REFUSED = { outcome: 'refused' } as const;

/** Checks codes of a device, and backup codes. */
export function createSecondFactor(parts: AccountsParts): SecondFactor {
  const { auth, database, sessions, cookies, attempts, devices, usedCodes, currentSession, clock } = parts;

  /** Uses a code up before it is checked, and releases it if it was wrong. */
  async function once(userId: string, code: string, enter: () => Promise<AuthAnswer>): Promise<AuthAnswer> {
    if (!(await usedCodes.take(userId, code))) return { ok: false };
    const answer = await enter();
    if (!answer.ok) await usedCodes.giveBack(userId, code);
    return answer;
  }

  return {
    async enterSecondFactor(visitor, text) {
      const { challenge: name } = cookies.names;
      const challenge = cookies.read(visitor.cookies, name);
      if (challenge === null) return REFUSED;
      const calls = await auth();
      const userId = await calls.challengedUser(challenge);
      if (userId === null) return REFUSED;
      // Passes the challenge only: with a session cookie, better-auth would check the code against the session.
      const cookie = cookies.only(visitor.cookies, name);
      const code = text.replaceAll(/\s/g, '');
      const outcome = await attempts.withCode<SignInOutcome>(visitor, userId, {
        async run() {
          const answer = TOTP.test(code)
            ? await once(userId, code, () => calls.enterTotp(cookie, code))
            : await calls.enterBackupCode(cookie, normalBackupCode(code));
          return outcomeOf(answer);
        },
        isWrong,
      });
      if (outcome.outcome !== 'signed_in') return outcome;
      await endPrevious(visitor);
      const remembered = await devices.remember(visitor.cookies, { userId });
      return { ...outcome, setCookies: [...outcome.setCookies, ...remembered] };
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
            const calls = await auth();
            const needsPassword = await hasPassword(parts, session.user.id);
            if (!needsPassword && !isConfirmed(session, clock.now())) return REFUSED;
            const begun = await calls.beginSecondFactor(
              sessionCookie(visitor),
              needsPassword ? password : undefined,
            );
            if (begun === null) return REFUSED;
            const secret = new URL(begun.uri).searchParams.get('secret') ?? '';
            return { outcome: 'begun', uri: begun.uri, secret, backupCodes: begun.backupCodes };
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
          const calls: AuthCalls = await auth();
          const answer = await once(id, code, () => calls.enterTotp(sessionCookie(visitor), code));
          if (answer.ok) await noteConfirmed(id);
          return outcomeOf(answer);
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

  function sessionCookie({ cookies: header }: Visitor): string {
    return cookies.only(header, cookies.names.session);
  }

  /** Stores when the second factor was confirmed. Ends sessions begun without it: an attacker who knows the password may hold one. */
  async function noteConfirmed(userId: string): Promise<void> {
    const db = await database();
    await db
      .updateTable('staff_two_factors')
      .set({ confirmed_at: clock.now().toISOString() })
      .where('user_id', '=', userId)
      .execute();
    await db
      .deleteFrom('staff_sessions')
      .where('user_id', '=', userId)
      .where((is) => is('with_second_factor', '=', is.lit(false)))
      .execute();
  }

  async function endPrevious({ cookies: header }: Visitor): Promise<void> {
    const token = cookies.read(header, cookies.names.session);
    if (token !== null) await sessions.end(token);
  }
}

/** Whether a password or a code was wrong. */
export function isWrong({ outcome }: { readonly outcome: string }): boolean {
  return outcome === 'refused';
}

export function outcomeOf(answer: AuthAnswer): SignInOutcome {
  if (!answer.ok) return REFUSED;
  const { setCookies, needsSecondFactor } = answer;
  return { outcome: needsSecondFactor ? 'second_factor_needed' : 'signed_in', setCookies };
}
