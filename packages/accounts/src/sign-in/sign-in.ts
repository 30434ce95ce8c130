import { randomUUID } from 'node:crypto';
import {
  type Accounts,
  type JoinOutcome,
  normalEmail,
  type SignInOutcome,
  STAFF_SESSION,
  type Throttled,
  type User,
} from '@countersign/domain/staff';
import { passwordRefusal } from '../credentials/passwords.ts';
import { invitationOf, redeem, removeFactor, replace } from '../staff/invitations.ts';
import { columnsOf, findUser } from '../staff/users.ts';
import { withheldOf } from '../staff/withheld-invitations.ts';
import { isOwnPassword } from './confirm-identity.ts';
import type { AccountsParts } from './parts.ts';
import { isWrong } from './second-factor.ts';

type SigningIn = Pick<
  Accounts,
  | 'signInPath'
  | 'signOutPath'
  | 'identify'
  | 'nameOf'
  | 'signIn'
  | 'signOut'
  | 'invitationOf'
  | 'acceptInvitation'
  | 'replacePassword'
  | 'removeLostFactor'
  | 'countResetRequest'
>;

/** The new password of a one-time link, and its user. */
interface NewPassword {
  readonly user: { readonly email: string; readonly name: string };
  readonly password: string;
  readonly clientName: string | undefined;
  /** Uses the link up. False if it no longer works. */
  readonly store: (set: {
    readonly passwordHash: string;
    readonly newId: string;
    readonly now: Date;
    readonly kind: AccountsParts['kind'];
  }) => Promise<boolean>;
}

/** Signs users in by password or one-time link, and out. */
export function createSigningIn(parts: AccountsParts): SigningIn {
  const { database, sessions, cookies, challenges, secondFactors, attempts, devices, passwords } = parts;
  const { currentSession, clock, appName, kind, mayUsePassword } = parts;

  async function endSession(header: string | undefined): Promise<void> {
    const token = cookies.read(header, cookies.names.session);
    if (token !== null) await sessions.end(token);
  }

  /** Ends the session of the browser, and begins a new one, or a sign-in that waits for the user's second factor. */
  async function startSession(
    header: string | undefined,
    { id: userId }: Pick<User, 'id'>,
  ): Promise<SignInOutcome> {
    const row = await columnsOf(await database(), userId, ['two_factor_enabled']);
    if (row?.two_factor_enabled) await secondFactors.requireSecret(userId);
    await endSession(header);
    await sessions.sweep();
    if (row?.two_factor_enabled) {
      const { setCookie } = await challenges.begin(userId);
      return { outcome: 'second_factor_needed', setCookies: [cookies.removal(cookies.names.session), setCookie] };
    }
    const token = await sessions.begin(userId, { withSecondFactor: false });
    if (token === null) return { outcome: 'refused' };
    const setCookies = [
      cookies.keep(cookies.names.session, token, STAFF_SESSION.seconds),
      ...(await devices.remember(header, { userId })),
    ];
    return { outcome: 'signed_in', setCookies };
  }

  /** Checks and sets a new password, and signs in with it. */
  async function join(
    header: string | undefined,
    { user: { email, name }, password, clientName, store }: NewPassword,
  ): Promise<JoinOutcome> {
    const reason = await passwordRefusal(password, [email, name, appName, clientName ?? '']);
    if (reason !== null) return { outcome: 'password_refused', reason };
    const passwordHash = await passwords.hash(password);
    const isSet = await store({ passwordHash, newId: randomUUID(), now: clock.now(), kind });
    const joined = isSet ? await findUser(await database(), 'email', email) : null;
    return joined === null ? { outcome: 'refused' } : startSession(header, joined);
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
        async run() {
          const user = await findUser(await database(), 'email', normalEmail(email));
          const isAllowed = user !== null && (await mayUsePassword(user));
          const isRight = await isOwnPassword(parts, isAllowed ? user.id : null, password);
          return user !== null && isRight ? startSession(visitor.cookies, user) : { outcome: 'refused' };
        },
        isWrong,
      }),

    async signOut({ cookies: header }) {
      await endSession(header);
      const { session, challenge, confirmation } = cookies.names;
      return { setCookies: [session, challenge, confirmation].map(cookies.removal) };
    },

    async invitationOf(token) {
      const db = await database();
      const invited = await invitationOf(db, token, clock.now());
      const withheld = invited === null ? await withheldOf(db, token, clock.now()) : null;
      const user = invited ?? withheld;
      if (user === null) return null;
      const { email, name } = user;
      return {
        email,
        name,
        ...(withheld?.clientId && { withheldFor: withheld.clientId }),
        ...(!(await mayUsePassword(user)) && { mayUsePassword: false }),
      };
    },

    acceptInvitation: (visitor, { token, password, clientName }) =>
      attempts.withLink<JoinOutcome>(visitor, {
        async run() {
          const db = await database();
          const now = clock.now();
          // A withheld invitation looks like any other until it should set the password.
          const user = (await invitationOf(db, token, now)) ?? (await withheldOf(db, token, now));
          if (user === null || !(await mayUsePassword(user))) return { outcome: 'refused' };
          const store: NewPassword['store'] = (set) => redeem(db, { ...set, token });
          return join(visitor.cookies, { user, password, clientName, store });
        },
        isWrong: isWrongLink,
      }),

    replacePassword: (visitor, { userId, mark, password, clientName }) =>
      attempts.withLink<JoinOutcome>(visitor, {
        async run() {
          const db = await database();
          const user = await findUser(db, 'id', userId);
          if (user === null || !(await mayUsePassword(user))) return { outcome: 'refused' };
          const store: NewPassword['store'] = (set) => replace(db, { ...set, userId, mark });
          return join(visitor.cookies, { user, password, clientName, store });
        },
        isWrong: isWrongLink,
      }),

    async removeLostFactor(visitor, { userId, mark, password }) {
      const db = await database();
      const user = await findUser(db, 'id', userId);
      if (user === null) return { outcome: 'refused' };
      return attempts.withPassword<{ outcome: 'removed' | 'refused' } | Throttled>(visitor, user.email, {
        async run() {
          const isRight = await isOwnPassword(parts, userId, password);
          const isRemoved = isRight && (await removeFactor(db, { userId, mark, kind }));
          return { outcome: isRemoved ? 'removed' : 'refused' };
        },
        isWrong,
      });
    },

    countResetRequest: (visitor, email) => attempts.resetRequest(visitor, email),
  };
}

function isWrongLink({ outcome }: JoinOutcome): boolean {
  return outcome === 'refused' || outcome === 'password_refused';
}
