import {
  type Accounts,
  type Invitation,
  type ManageStaff,
  PASSWORD_MIN,
  type SignInOutcome,
  type StaffSession,
  type Visitor,
} from '@countersign/domain';
import { createFakePeople, type FakeAccount } from './fake-people.ts';
import { createFakeStaff } from './fake-staff.ts';

/** Accounts in memory. One code is always right, one backup code too. */
export interface FakeAccounts extends Accounts {
  /** The same people, as the port `staff` of the core. */
  readonly staff: ManageStaff;
  add(account: FakeAccount): void;
  /** The `Cookie` header of somebody who is signed in. */
  signedIn(userId: string, options?: { withSecondFactor?: boolean; confirmedAt?: Date | null }): string;
  /** Sets when whoever is signed in by these cookies confirmed last who they are. */
  setConfirmedAt(cookies: string, confirmedAt: Date | null): void;
  /** A one-time link for an account, as its token. */
  invite(userId: string): string;
  /** Refuses every attempt from now on. */
  throttle(retryAfterSeconds: number): void;
  readonly visitors: readonly Visitor[];
}

export const RIGHT_CODE = '123456';
export const SETUP = {
  uri: 'otpauth://totp/Countersign:rita%40example.org?secret=JBSWY3DPEHPK3PXP&issuer=Countersign',
  secret: 'JBSWY3DPEHPK3PXP',
  backupCodes: ['alpha-1111', 'bravo-2222'],
} as const;

interface FakeSession extends Omit<StaffSession, 'user' | 'confirmedAt'> {
  readonly userId: string;
  confirmedAt: Date | null;
}

const SESSION = 'staff';
const HALF = 'half';

export function createFakeAccounts(now: () => Date): FakeAccounts {
  const people = createFakePeople(now);
  const { accounts, next } = people;
  const sessions = new Map<string, FakeSession>();
  const halves = new Map<string, string>();
  const visitors: Visitor[] = [];
  let retryAfterSeconds: number | null = null;

  /** With the user as they are now: another role holds from the next request on. */
  function sessionIn(cookies: string | undefined): StaffSession | null {
    const session = sessions.get(cookieIn(cookies, SESSION));
    if (session === undefined) return null;
    const { userId, ...rest } = session;
    return { ...rest, user: present(accounts.get(userId)).user };
  }

  function endAll(userId: string): void {
    for (const [id, session] of sessions) if (session.userId === userId) sessions.delete(id);
  }

  function begin(userId: string, withSecondFactor: boolean, confirmedAt: Date | null = null): string {
    const id = next('session');
    sessions.set(id, { userId, signedInAt: now(), withSecondFactor, confirmedAt });
    return id;
  }

  function signedIn(userId: string, withSecondFactor: boolean): SignInOutcome {
    const id = begin(userId, withSecondFactor);
    return { outcome: 'signed_in', setCookies: [`${SESSION}=${id}; HttpOnly`, `${HALF}=; Max-Age=0`] };
  }

  const accountOf = (visitor: Visitor): FakeAccount | null => {
    const session = sessionIn(visitor.cookies);
    return session === null ? null : present(accounts.get(session.user.id));
  };

  /** Notes the attempt; tells whether it may go on. */
  function attempt(visitor: Visitor): { outcome: 'throttled'; retryAfterSeconds: number } | null {
    visitors.push(visitor);
    return retryAfterSeconds === null ? null : { outcome: 'throttled', retryAfterSeconds };
  }

  return {
    visitors,
    signInPath: '/account/sign-in',
    signOutPath: '/account/sign-out',
    confirmPath: '/account/confirm',
    staff: createFakeStaff(people, endAll),
    add: people.add,
    throttle: (seconds) => {
      retryAfterSeconds = seconds;
    },
    signedIn(userId, { withSecondFactor = false, confirmedAt = null } = {}) {
      present(accounts.get(userId));
      return `${SESSION}=${begin(userId, withSecondFactor, confirmedAt)}`;
    },
    setConfirmedAt(cookies, confirmedAt) {
      present(sessions.get(cookieIn(cookies, SESSION))).confirmedAt = confirmedAt;
    },
    invite: (userId) => people.newLink(userId).token,

    identify: async (cookies) => sessionIn(cookies),
    nameOf: async (userId) => accounts.get(userId)?.user.name ?? null,

    async signIn(visitor, { email, password }) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = [...accounts.values()].find(({ user }) => user.email === email);
      if (account === undefined || account.password !== password) return { outcome: 'refused' };
      if (!account.hasSecondFactor) return signedIn(account.user.id, false);
      const half = next('half');
      halves.set(half, account.user.id);
      return { outcome: 'second_factor_needed', setCookies: [`${HALF}=${half}; HttpOnly`] };
    },

    async enterSecondFactor(visitor, code) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const userId = halves.get(cookieIn(visitor.cookies, HALF));
      const isRight = code === RIGHT_CODE || (SETUP.backupCodes as readonly string[]).includes(code);
      return userId !== undefined && isRight ? signedIn(userId, true) : { outcome: 'refused' };
    },

    async signOut({ cookies }) {
      sessions.delete(cookieIn(cookies, SESSION));
      return { setCookies: [`${SESSION}=; Max-Age=0`] };
    },

    async invitationOf(token): Promise<Invitation | null> {
      const account = accounts.get(people.links.get(token)?.userId ?? '');
      return account === undefined ? null : { email: account.user.email, name: account.user.name };
    },

    async acceptInvitation(visitor, { token, password }) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = accounts.get(people.links.get(token)?.userId ?? '');
      if (account === undefined) return { outcome: 'refused' };
      if (password.length < PASSWORD_MIN) return { outcome: 'password_refused', reason: 'too_short' };
      people.links.delete(token);
      account.password = password;
      endAll(account.user.id);
      return signedIn(account.user.id, false);
    },

    async beginSecondFactor(visitor, password) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      return accountOf(visitor)?.password === password ? { outcome: 'begun', ...SETUP } : { outcome: 'refused' };
    },

    async confirmSecondFactor(visitor, code) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = accountOf(visitor);
      if (account === null || code !== RIGHT_CODE) return { outcome: 'refused' };
      account.hasSecondFactor = true;
      return signedIn(account.user.id, true);
    },

    hasSecondFactor: async (visitor) => accountOf(visitor)?.hasSecondFactor ?? false,

    async removeSecondFactor(visitor, password) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = accountOf(visitor);
      if (account?.password !== password) return { outcome: 'refused' };
      account.hasSecondFactor = false;
      return { outcome: 'removed' };
    },

    async confirmIdentity(visitor, password) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const session = sessions.get(cookieIn(visitor.cookies, SESSION));
      if (session === undefined || accountOf(visitor)?.password !== password) return { outcome: 'refused' };
      session.confirmedAt = now();
      return { outcome: 'confirmed', setCookies: ['confirmation=given; HttpOnly'] };
    },
  };
}

function cookieIn(cookies: string | undefined, name: string): string {
  const found = (cookies ?? '').split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such account or session');
  return value;
}
