import type { Clock, Ids } from '@countersign/domain';
import {
  type Accounts,
  isConfirmed,
  passwordLengthRefusal,
  type SignInOutcome,
  type StaffSession,
  type Throttled,
  type User,
  type Visitor,
} from '@countersign/domain/staff';
import { createMemoryPasskeys } from './memory-passkeys.ts';
import { createMemoryStaff, type MemoryStaff } from './memory-staff.ts';

/** The code of every device, at any time. */
export const MEMORY_CODE = '123456';

/** The second factor that every user is offered. A backup code may be used again. */
export const MEMORY_SECOND_FACTOR: {
  readonly uri: string;
  readonly secret: string;
  readonly backupCodes: readonly [string, string];
} = {
  uri: 'otpauth://totp/Countersign:rita%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Countersign',
  secret: 'JBSWY3DPEHPK3PXP',
  backupCodes: ['alpha-1111', 'bravo-2222'],
};

/** `Accounts` in memory, with what a test needs to prepare. */
export interface MemoryAccounts extends Accounts {
  /** The same users, as the port `staff` of the core. */
  readonly staff: MemoryStaff;
  /** Visitors who tried a password, a code or a link, in order. */
  readonly visitors: readonly Visitor[];
  /** Adds a user who has joined with this password. */
  add(user: User, password: string): void;
  /** Begins a session. Returns its `Cookie` header. */
  signedIn(userId: string, options?: { withSecondFactor?: boolean; confirmedAt?: Date | null }): string;
  /** Counts the sessions of a user. */
  sessionsOf(userId: string): number;
  /** Makes a one-time link. Returns its token. */
  invite(userId: string): Promise<string>;
  /** Refuses every further attempt. */
  throttle(retryAfterSeconds: number): void;
}

interface StoredSession extends Omit<StaffSession, 'user' | 'confirmedAt'> {
  readonly userId: string;
  confirmedAt: Date | null;
}

const SESSION = 'staff';
const CHALLENGE = 'challenge';

/**
 * Creates accounts in memory, for tests and trials only: passwords are stored as they are.
 * @param options.offersPasskeys whether there are passkeys (default: none); `memoryPasskeyAnswer` answers for their authenticators
 */
export function createMemoryAccounts({
  clock,
  ids,
  offersPasskeys = false,
}: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly offersPasskeys?: boolean;
}): MemoryAccounts {
  const passwords = new Map<string, string>();
  const sessions = new Map<string, StoredSession>();
  const challenges = new Map<string, string>();
  const visitors: Visitor[] = [];
  let throttled: Throttled | null = null;
  const staff = createMemoryStaff({
    clock,
    ids,
    onEnded: endSessions,
    onPasswordEnded: (userId) => passwords.delete(userId),
    onPasskeysEnded: (userId) => passkeys.end(userId),
  });
  const passkeys = createMemoryPasskeys({
    clock,
    ids,
    users: {
      find: (userId) => staff.find(userId),
      hasSecondFactor,
      hasPassword: (userId) => passwords.has(userId),
      pendingUser: ({ cookies }) => challenges.get(cookieIn(cookies, CHALLENGE)) ?? null,
      signIn({ cookies }, userId) {
        challenges.delete(cookieIn(cookies, CHALLENGE));
        return signIn(userId, true);
      },
      attempt,
    },
  });

  /** Ends the sessions and pending sign-ins of a user. */
  function endSessions(userId: string): void {
    for (const [id, session] of sessions) if (session.userId === userId) sessions.delete(id);
    for (const [id, pending] of challenges) if (pending === userId) challenges.delete(id);
  }

  function begin(userId: string, withSecondFactor: boolean, confirmedAt: Date | null = null): string {
    const id = ids.next();
    sessions.set(id, { userId, signedInAt: clock.now(), withSecondFactor, confirmedAt });
    return `${SESSION}=${id}`;
  }

  function signIn(userId: string, withSecondFactor: boolean): SignInOutcome {
    const cookie = begin(userId, withSecondFactor);
    return { outcome: 'signed_in', setCookies: [`${cookie}; HttpOnly`, `${CHALLENGE}=; Max-Age=0`] };
  }

  async function hasSecondFactor(userId: string): Promise<boolean> {
    return (await staff.list()).some((user) => user.id === userId && user.hasSecondFactor);
  }

  /** Signs a user in, or asks for the second factor where there is one. */
  async function enter(userId: string): Promise<SignInOutcome> {
    if (!(await hasSecondFactor(userId))) return signIn(userId, false);
    const challenge = ids.next();
    challenges.set(challenge, userId);
    return { outcome: 'second_factor_needed', setCookies: [`${CHALLENGE}=${challenge}; HttpOnly`] };
  }

  /** Reads the user again: another role holds from the next request on. */
  async function identify(cookies: string | undefined): Promise<StaffSession | null> {
    const session = sessions.get(cookieIn(cookies, SESSION));
    if (session === undefined) return null;
    const { userId, ...rest } = session;
    const user = await staff.find(userId);
    return user && { ...rest, user };
  }

  /** Runs an attempt unless attempts are throttled. */
  async function attempt<R>(visitor: Visitor, run: () => Promise<R>): Promise<R | Throttled> {
    visitors.push(visitor);
    return throttled ?? run();
  }

  /** Runs an attempt of a signed-in user that needs the password. */
  const attemptWith = <R>(visitor: Visitor, password: string, run: (user: User) => R) =>
    attempt(visitor, async () => {
      const user = (await identify(visitor.cookies))?.user;
      const isRight = user !== undefined && passwords.get(user.id) === password;
      return isRight ? run(user) : ({ outcome: 'refused' } as const);
    });

  return {
    ...(offersPasskeys && { passkeys }),
    staff,
    visitors,
    signInPath: '/account/sign-in',
    signOutPath: '/account/sign-out',
    confirmPath: '/account/confirm',
    identify,
    nameOf: async (userId) => (await staff.find(userId))?.name ?? null,

    add(user, password) {
      staff.add(user);
      passwords.set(user.id, password);
    },
    signedIn: (userId, { withSecondFactor = false, confirmedAt = null } = {}) =>
      begin(userId, withSecondFactor, confirmedAt),
    sessionsOf: (userId) => [...sessions.values()].filter((session) => session.userId === userId).length,
    invite: async (userId) => (await staff.invite(userId))?.invitationPath.split('/').at(-1) ?? '',
    throttle(retryAfterSeconds) {
      throttled = { outcome: 'throttled', retryAfterSeconds };
    },

    signIn: (visitor, { email, password }) =>
      attempt(visitor, async () => {
        const user = await staff.findByEmail(email);
        const isRight = user !== null && passwords.get(user.id) === password;
        return isRight ? enter(user.id) : { outcome: 'refused' };
      }),

    enterSecondFactor: (visitor, code) =>
      attempt(visitor, async () => {
        const userId = challenges.get(cookieIn(visitor.cookies, CHALLENGE));
        const isRight = [MEMORY_CODE, ...MEMORY_SECOND_FACTOR.backupCodes].includes(code);
        return userId !== undefined && isRight ? signIn(userId, true) : { outcome: 'refused' };
      }),

    async signOut({ cookies }) {
      sessions.delete(cookieIn(cookies, SESSION));
      return { setCookies: [`${SESSION}=; Max-Age=0`] };
    },

    async invitationOf(token) {
      const withheld = staff.withheldOfLink(token);
      const user = staff.userOfLink(token) ?? withheld;
      if (user === null) return null;
      return { email: user.email, name: user.name, ...(withheld?.clientId && { withheldFor: withheld.clientId }) };
    },

    acceptInvitation: (visitor, { token, password }) =>
      attempt(visitor, async () => {
        const user = staff.userOfLink(token);
        if (user !== null && staff.isShutOut(user.id)) return { outcome: 'refused' };
        if (user === null && staff.withheldOfLink(token) === null) return { outcome: 'refused' };
        const reason = passwordLengthRefusal(password);
        if (reason !== null) return { outcome: 'password_refused', reason };
        if (user === null) return { outcome: 'refused' };
        staff.join(user.id);
        passwords.set(user.id, password);
        endSessions(user.id);
        return enter(user.id);
      }),

    replacePassword: (visitor, { userId, mark, password }) =>
      attempt(visitor, async () => {
        const recipient = await staff.findRecipient(userId);
        if (recipient === null || recipient.passwordMark !== mark || staff.isShutOut(userId))
          return { outcome: 'refused' };
        const reason = passwordLengthRefusal(password);
        if (reason !== null) return { outcome: 'password_refused', reason };
        staff.join(userId);
        passwords.set(userId, password);
        endSessions(userId);
        return enter(userId);
      }),

    removeLostFactor: (visitor, { userId, mark, password }) =>
      attempt(visitor, async () => {
        const recipient = await staff.findRecipient(userId);
        if (recipient?.secondFactor?.mark !== mark || passwords.get(userId) !== password)
          return { outcome: 'refused' };
        staff.removeSecondFactor(userId);
        endSessions(userId);
        return { outcome: 'removed' };
      }),

    async countResetRequest(visitor) {
      visitors.push(visitor);
      return throttled;
    },

    beginSecondFactor: (visitor, password) =>
      attemptWith(visitor, password, () => ({ outcome: 'begun' as const, ...MEMORY_SECOND_FACTOR })),

    confirmSecondFactor: (visitor, code) =>
      attempt(visitor, async () => {
        const session = await identify(visitor.cookies);
        if (session === null || code !== MEMORY_CODE) return { outcome: 'refused' };
        const { id } = session.user;
        staff.setUpSecondFactor(id);
        endSessions(id);
        return signIn(id, true);
      }),

    async waysToConfirm({ cookies }) {
      const session = await identify(cookies);
      return { password: session !== null && passwords.has(session.user.id), providers: [] };
    },

    async hasSecondFactor({ cookies }) {
      const session = await identify(cookies);
      return session !== null && hasSecondFactor(session.user.id);
    },

    removeSecondFactor: (visitor, password) =>
      attemptWith(visitor, password, ({ id }) => {
        staff.removeSecondFactor(id);
        return { outcome: 'removed' as const };
      }),

    confirmIdentity: (visitor, password) =>
      attemptWith(visitor, password, () => {
        const session = sessions.get(cookieIn(visitor.cookies, SESSION));
        if (session !== undefined && !isConfirmed(session, clock.now())) session.confirmedAt = clock.now();
        return { outcome: 'confirmed' as const, setCookies: ['confirmation=given; HttpOnly'] };
      }),
  };
}

function cookieIn(cookies: string | undefined, name: string): string {
  const found = (cookies ?? '').split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}
