import {
  type Accounts,
  type Invitation,
  PASSWORD_MIN,
  type SignInOutcome,
  type StaffMember,
  type StaffSession,
  type Visitor,
} from '@countersign/domain';

/** Somebody who can sign in, and how. */
export interface FakeAccount {
  readonly member: StaffMember;
  password: string;
  hasSecondFactor: boolean;
}

/** Accounts in memory. One code is always right, one backup code too. */
export interface FakeAccounts extends Accounts {
  add(account: FakeAccount): void;
  /** The `Cookie` header of somebody who is signed in. */
  signedIn(memberId: string, options?: { withSecondFactor?: boolean }): string;
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

const SESSION = 'staff';
const HALF = 'half';

export function createFakeAccounts(now: () => Date): FakeAccounts {
  const accounts = new Map<string, FakeAccount>();
  const sessions = new Map<string, StaffSession>();
  const halves = new Map<string, string>();
  const invitations = new Map<string, string>();
  const visitors: Visitor[] = [];
  let retryAfterSeconds: number | null = null;
  let count = 0;

  const next = (what: string) => `${what}-${++count}`;
  const sessionIn = (cookies: string | undefined) => sessions.get(cookieIn(cookies, SESSION)) ?? null;

  function begin(memberId: string, withSecondFactor: boolean): SignInOutcome {
    const id = next('session');
    const { member } = present(accounts.get(memberId));
    sessions.set(id, { member, signedInAt: now(), withSecondFactor });
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
    add: (account) => void accounts.set(account.member.id, account),
    throttle: (seconds) => {
      retryAfterSeconds = seconds;
    },
    signedIn(memberId, { withSecondFactor = false } = {}) {
      begin(memberId, withSecondFactor);
      return `${SESSION}=session-${count}`;
    },
    invite(memberId) {
      const token = next('token');
      invitations.set(token, memberId);
      return token;
    },

    identify: async (cookies) => sessionIn(cookies),
    nameOf: async (staffId) => accounts.get(staffId)?.member.name ?? null,

    async signIn(visitor, { email, password }) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const account = [...accounts.values()].find(({ member }) => member.email === email);
      if (account === undefined || account.password !== password) return { outcome: 'refused' };
      if (!account.hasSecondFactor) return begin(account.member.id, false);
      const half = next('half');
      halves.set(half, account.member.id);
      return { outcome: 'second_factor_needed', setCookies: [`${HALF}=${half}; HttpOnly`] };
    },

    async enterSecondFactor(visitor, code) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const memberId = halves.get(cookieIn(visitor.cookies, HALF));
      const isRight = code === RIGHT_CODE || (SETUP.backupCodes as readonly string[]).includes(code);
      return memberId !== undefined && isRight ? begin(memberId, true) : { outcome: 'refused' };
    },

    async signOut({ cookies }) {
      sessions.delete(cookieIn(cookies, SESSION));
      return { setCookies: [`${SESSION}=; Max-Age=0`] };
    },

    async invitationOf(token): Promise<Invitation | null> {
      const memberId = invitations.get(token);
      if (memberId === undefined) return null;
      const { email, name } = present(accounts.get(memberId)).member;
      return { email, name };
    },

    async acceptInvitation(visitor, { token, password }) {
      const stopped = attempt(visitor);
      if (stopped !== null) return stopped;
      const memberId = invitations.get(token);
      if (memberId === undefined) return { outcome: 'refused' };
      if (password.length < PASSWORD_MIN) return { outcome: 'password_refused', reason: 'too_short' };
      invitations.delete(token);
      present(accounts.get(memberId)).password = password;
      return begin(memberId, false);
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
      return begin(account.member.id, true);
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
  };
}

function cookieIn(cookies: string | undefined, name: string): string {
  const found = (cookies ?? '').split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such account');
  return value;
}
