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
  signedIn(memberId: string, options?: { withSecondFactor?: boolean; confirmedAt?: Date | null }): string;
  /** Sets when whoever is signed in by these cookies confirmed last who they are. */
  setConfirmedAt(cookies: string, confirmedAt: Date | null): void;
  /** A one-time link for an account, as its token. */
  invite(memberId: string): string;
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

interface FakeSession extends Omit<StaffSession, 'member' | 'confirmedAt'> {
  readonly memberId: string;
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

  /** With the member as they are now: another role holds from the next request on. */
  function sessionIn(cookies: string | undefined): StaffSession | null {
    const session = sessions.get(cookieIn(cookies, SESSION));
    if (session === undefined) return null;
    const { memberId, ...rest } = session;
    return { ...rest, member: present(accounts.get(memberId)).member };
  }

  function endAll(memberId: string): void {
    for (const [id, session] of sessions) if (session.memberId === memberId) sessions.delete(id);
  }

  function begin(memberId: string, withSecondFactor: boolean, confirmedAt: Date | null = null): string {
    const id = next('session');
    sessions.set(id, { memberId, signedInAt: now(), withSecondFactor, confirmedAt });
    return id;
  }

  function signedIn(memberId: string, withSecondFactor: boolean): SignInOutcome {
    const id = begin(memberId, withSecondFactor);
    return { outcome: 'signed_in', setCookies: [`${SESSION}=${id}; HttpOnly`, `${HALF}=; Max-Age=0`] };
  }

  const accountOf = (visitor: Visitor): FakeAccount | null => {
    const session = sessionIn(visitor.cookies);
    return session === null ? null : present(accounts.get(session.member.id));
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
    signedIn(memberId, { withSecondFactor = false, confirmedAt = null } = {}) {
      present(accounts.get(memberId));
      return `${SESSION}=${begin(memberId, withSecondFactor, confirmedAt)}`;
    },
    setConfirmedAt(cookies, confirmedAt) {
      present(sessions.get(cookieIn(cookies, SESSION))).confirmedAt = confirmedAt;
    },
    invite: (memberId) => people.newLink(memberId).token,

    identify: async (cookies) => sessionIn(cookies),
    nameOf: async (staffId) => accounts.get(staffId)?.member.name ?? null,

    async signIn(visitor, { email, password }) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = [...accounts.values()].find(({ member }) => member.email === email);
      if (account === undefined || account.password !== password) return { outcome: 'refused' };
      if (!account.hasSecondFactor) return signedIn(account.member.id, false);
      const half = next('half');
      halves.set(half, account.member.id);
      return { outcome: 'second_factor_needed', setCookies: [`${HALF}=${half}; HttpOnly`] };
    },

    async enterSecondFactor(visitor, code) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const memberId = halves.get(cookieIn(visitor.cookies, HALF));
      const isRight = code === RIGHT_CODE || (SETUP.backupCodes as readonly string[]).includes(code);
      return memberId !== undefined && isRight ? signedIn(memberId, true) : { outcome: 'refused' };
    },

    async signOut({ cookies }) {
      sessions.delete(cookieIn(cookies, SESSION));
      return { setCookies: [`${SESSION}=; Max-Age=0`] };
    },

    async invitationOf(token): Promise<Invitation | null> {
      const account = accounts.get(people.links.get(token)?.memberId ?? '');
      return account === undefined ? null : { email: account.member.email, name: account.member.name };
    },

    async acceptInvitation(visitor, { token, password }) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = accounts.get(people.links.get(token)?.memberId ?? '');
      if (account === undefined) return { outcome: 'refused' };
      if (password.length < PASSWORD_MIN) return { outcome: 'password_refused', reason: 'too_short' };
      people.links.delete(token);
      account.password = password;
      endAll(account.member.id);
      return signedIn(account.member.id, false);
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
      return signedIn(account.member.id, true);
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
