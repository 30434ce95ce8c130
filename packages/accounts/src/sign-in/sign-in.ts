import { randomUUID } from 'node:crypto';
import type { Accounts, SignInOutcome } from '@countersign/domain';
import { invitationOf, redeem } from '../staff/invitations.ts';
import type { AccountsParts } from './parts.ts';
import { passwordRefusal } from './passwords.ts';
import { outcomeOf } from './second-factor.ts';

type SigningIn = Pick<
  Accounts,
  'signInPath' | 'signOutPath' | 'identify' | 'nameOf' | 'signIn' | 'signOut' | 'invitationOf' | 'acceptInvitation'
>;

/** Signs users in by password or one-time link, and out. */
export function createSigningIn(parts: AccountsParts): SigningIn {
  const { auth, database, sessions, cookies, attempts, passwords, currentSession, clock, appName, kind } = parts;

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
    return outcome;
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

    async signIn(visitor, { email, password }) {
      const throttled = await attempts.withPassword(visitor.clientAddress, email);
      return throttled ?? signInAnew(visitor.cookies, email.trim(), password);
    },

    async signOut({ cookies: header }) {
      await endSession(header);
      const { session, challenge, confirmation } = cookies.names;
      return { setCookies: [session, challenge, confirmation].map(cookies.removal) };
    },

    async invitationOf(token) {
      return invitationOf(await database(), token, clock.now());
    },

    async acceptInvitation(visitor, { token, password }) {
      const throttled = await attempts.from(visitor.clientAddress);
      if (throttled !== null) return throttled;
      const db = await database();
      const invitation = await invitationOf(db, token, clock.now());
      if (invitation === null) return { outcome: 'refused' };
      const { email, name } = invitation;
      const reason = await passwordRefusal(password, [email, name, appName]);
      if (reason !== null) return { outcome: 'password_refused', reason };
      const passwordHash = await passwords.hash(password);
      const redeemed = await redeem(db, { token, passwordHash, newId: randomUUID(), now: clock.now(), kind });
      return redeemed ? signInAnew(visitor.cookies, email, password) : { outcome: 'refused' };
    },
  };
}
