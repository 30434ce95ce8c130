import { randomUUID } from 'node:crypto';
import type { Accounts, SignInOutcome } from '@countersign/domain';
import { invitationOf, redeem } from '../staff/invitations.ts';
import type { AccountsParts } from './parts.ts';
import { passwordRefusal } from './passwords.ts';
import { isWrong, outcomeOf } from './second-factor.ts';

type JoinOutcome = Awaited<ReturnType<Accounts['acceptInvitation']>>;

type SigningIn = Pick<
  Accounts,
  'signInPath' | 'signOutPath' | 'identify' | 'nameOf' | 'signIn' | 'signOut' | 'invitationOf' | 'acceptInvitation'
>;

/** Signs users in by password or one-time link, and out. */
export function createSigningIn(parts: AccountsParts): SigningIn {
  const { auth, database, sessions, cookies, attempts, devices, passwords, currentSession } = parts;
  const { clock, appName, kind } = parts;

  async function endSession(header: string | undefined): Promise<void> {
    const token = cookies.read(header, cookies.names.session);
    if (token !== null) await sessions.end(token);
  }

  /** A new session replaces the browser's session. */
  async function signInAnew(header: string | undefined, email: string, password: string): Promise<SignInOutcome> {
    const calls = await auth();
    const outcome = outcomeOf(await calls.signIn(email, password));
    if (outcome.outcome === 'signed_in' || outcome.outcome === 'second_factor_needed') {
      await endSession(header);
      await sessions.sweep();
    }
    if (outcome.outcome !== 'signed_in') return outcome;
    return { ...outcome, setCookies: [...outcome.setCookies, ...(await devices.remember(header, { email }))] };
  }

  async function join(
    header: string | undefined,
    { token, password, clientName }: Parameters<Accounts['acceptInvitation']>[1],
  ): Promise<JoinOutcome> {
    const db = await database();
    const invitation = await invitationOf(db, token, clock.now());
    if (invitation === null) return { outcome: 'refused' };
    const { email, name } = invitation;
    const reason = await passwordRefusal(password, [email, name, appName, clientName ?? '']);
    if (reason !== null) return { outcome: 'password_refused', reason };
    const passwordHash = await passwords.hash(password);
    const redeemed = await redeem(db, { token, passwordHash, newId: randomUUID(), now: clock.now(), kind });
    return redeemed ? signInAnew(header, email, password) : { outcome: 'refused' };
  }

  return {
    signInPath: '/account/sign-in',
    signOutPath: '/account/sign-out',

    async identify(header) {
      const session = await currentSession(header);
      if (session === null) return null;
      const { user, signedInAt, withSecondFactor, confirmedAt } = session;
      return { user, signedInAt, withSecondFactor, confirmedAt };
    },
    nameOf: (userId) => sessions.nameOf(userId),

    signIn: (visitor, { email, password }) =>
      attempts.withPassword<SignInOutcome>(visitor, email, {
        run: () => signInAnew(visitor.cookies, email.trim(), password),
        isWrong,
      }),

    async signOut({ cookies: header }) {
      await endSession(header);
      const { session, challenge, confirmation } = cookies.names;
      return { setCookies: [session, challenge, confirmation].map(cookies.removal) };
    },

    async invitationOf(token) {
      return invitationOf(await database(), token, clock.now());
    },

    acceptInvitation: (visitor, input) =>
      attempts.withLink<JoinOutcome>(visitor, {
        run: () => join(visitor.cookies, input),
        isWrong: ({ outcome }) => outcome === 'refused' || outcome === 'password_refused',
      }),
  };
}
