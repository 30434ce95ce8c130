import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '@countersign/domain';
import type { SignIn, StaffSession, User } from '@countersign/domain/staff';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
const COOKIE = 'our_session';
const SESSION_MS = 8 * 60 * 60 * 1000;

interface Account {
  readonly user: User;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** The users of this service and their sessions. A service with several instances keeps both in its database. */
export interface OwnSignIn {
  /** What the pages of Countersign need. */
  readonly port: SignIn;
  addUser(user: User, password: string): Promise<void>;
  /** @returns the cookie of a new session; null for a wrong address or password */
  signIn(email: string, password: string): Promise<string | null>;
  /** Sets `confirmedAt` of the session. @returns whether the password is that of its user */
  confirm(cookies: string | undefined, password: string): Promise<boolean>;
  signOut(cookies: string | undefined): void;
}

/** Creates a sign-in of our own, in memory. */
export function createOwnSignIn(clock: Clock): OwnSignIn {
  const accounts = new Map<string, Account>();
  const sessions = new Map<string, StaffSession>();

  const tokenOf = (cookies = ''): string => new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(cookies)?.[1] ?? '';

  function sessionOf(cookies: string | undefined): StaffSession | null {
    const session = sessions.get(tokenOf(cookies));
    const age = clock.now().getTime() - (session?.signedInAt.getTime() ?? 0);
    return session === undefined || age > SESSION_MS ? null : session;
  }

  /** Derives a key in each case, so that an unknown address takes as long as a wrong password. */
  async function userWith(email: string, password: string): Promise<User | null> {
    const account = accounts.get(email);
    const hash = await derive(password, account?.salt ?? Buffer.alloc(KEY_BYTES), KEY_BYTES);
    return account !== undefined && timingSafeEqual(hash, account.hash) ? account.user : null;
  }

  return {
    port: {
      signInPath: '/login',
      signOutPath: '/logout',
      confirmPath: '/confirm',
      identify: async (cookies) => sessionOf(cookies),
      nameOf: async (userId) => [...accounts.values()].find(({ user }) => user.id === userId)?.user.name ?? null,
    },
    async addUser(user, password) {
      const salt = randomBytes(KEY_BYTES);
      accounts.set(user.email, { user, salt, hash: await derive(password, salt, KEY_BYTES) });
    },
    async signIn(email, password) {
      const user = await userWith(email, password);
      if (user === null) return null;
      const token = randomBytes(KEY_BYTES).toString('base64url');
      sessions.set(token, { user, signedInAt: clock.now(), withSecondFactor: false, confirmedAt: null });
      return `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Lax`;
    },
    async confirm(cookies, password) {
      const session = sessionOf(cookies);
      const user = session && (await userWith(session.user.email, password));
      if (session === null || user === null) return false;
      sessions.set(tokenOf(cookies), { ...session, confirmedAt: clock.now() });
      return true;
    },
    signOut: (cookies) => {
      sessions.delete(tokenOf(cookies));
    },
  };
}
