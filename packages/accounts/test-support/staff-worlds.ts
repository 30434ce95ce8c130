import type { RateLimitDecision, RateLimiter } from '@countersign/domain';
import type { Accounts, ManageStaff, User } from '@countersign/domain/staff';
import {
  createCountingIds,
  createFixedClock,
  createMemoryAccounts,
  MEMORY_CODE,
  memoryPasskeyAnswer,
} from '@countersign/memory';
import type { AccountsDatabase } from '../src/index.ts';
import { givenAccounts, PASSWORD, tokenOf } from './accounts.ts';
import { type Authenticator, newAuthenticator } from './authenticator.ts';
import { newBrowser } from './browser.ts';
import { codeOf } from './device.ts';

/** One implementation of accounts, with the browsers and authenticators of its users. */
export interface World {
  readonly staff: ManageStaff;
  advance(milliseconds: number): void;
  /** Sets the password by a new link, in a new browser, and sets up a second factor if there is none. */
  join(user: User): Promise<boolean>;
  addPasskey(user: User): Promise<string>;
  /** Signs in with each authenticator of the user, in place of the password. */
  enterPasskeys(user: User): Promise<number>;
  passkeysOf(userId: string): Promise<number>;
  /** Whether any browser of the user has a session. */
  isSignedIn(userId: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Accounts, and authenticators and codes that they understand. */
interface Given {
  readonly accounts: Accounts;
  readonly staff: ManageStaff;
  readonly advance: World['advance'];
  readonly newAuthenticator: () => Pick<Authenticator, 'create' | 'get'>;
  readonly codeOf: (secret: string) => string;
  readonly close: World['close'];
}

function worldOf({ accounts, staff, codeOf: code, newAuthenticator: newDevice, advance, close }: Given): World {
  const { passkeys } = accounts;
  if (passkeys === undefined) throw new Error('there are no passkeys');
  const browsers = new Map<string, ReturnType<typeof newBrowser>[]>();
  const devices = new Map<string, Pick<Authenticator, 'create' | 'get'>[]>();
  let visitors = 0;

  function browserFor(userId: string): ReturnType<typeof newBrowser> {
    visitors += 1;
    const browser = newBrowser(`192.0.${visitors >> 8}.${visitors & 255}`);
    browsers.set(userId, [...(browsers.get(userId) ?? []), browser]);
    return browser;
  }

  return {
    staff,
    advance,
    async join(user) {
      const link = await staff.invite(user.id);
      if (link === null) return false;
      const browser = browserFor(user.id);
      const input = { token: tokenOf(link), password: PASSWORD };
      const { outcome } = browser.keep(await accounts.acceptInvitation(browser.visitor, input));
      if (outcome !== 'signed_in') return outcome === 'second_factor_needed';
      const begun = await accounts.beginSecondFactor(browser.visitor, PASSWORD);
      if (begun.outcome !== 'begun') throw new Error(begun.outcome);
      const confirmed = await accounts.confirmSecondFactor(browser.visitor, code(begun.secret));
      return browser.keep(confirmed).outcome === 'signed_in';
    },
    async addPasskey(user) {
      const browser = browsers.get(user.id)?.find(({ visitor }) => visitor.cookies !== undefined);
      if (browser === undefined) return 'not signed in';
      const device = newDevice();
      const { options } = browser.keep(await passkeys.beginAdding(browser.visitor, user));
      const answer = { user, name: 'Laptop', response: device.create(options) };
      const { outcome } = await passkeys.finishAdding(browser.visitor, answer);
      if (outcome === 'added') devices.set(user.id, [...(devices.get(user.id) ?? []), device]);
      return outcome;
    },
    async enterPasskeys(user) {
      let entered = 0;
      for (const device of devices.get(user.id) ?? []) {
        const browser = browserFor(user.id);
        const begun = await passkeys.begin(browser.visitor, 'sign_in');
        if (begun === null) throw new Error('nothing to begin');
        browser.keep(begun);
        const answer = { purpose: 'sign_in' as const, response: device.get(begun.options) };
        const verified = await passkeys.finish(browser.visitor, answer);
        if (verified.outcome !== 'verified') continue;
        browser.keep(await passkeys.startSession(browser.visitor, verified));
        entered += 1;
      }
      return entered;
    },
    passkeysOf: async (userId) => (await passkeys.list(userId)).length,
    async isSignedIn(userId) {
      for (const { visitor } of browsers.get(userId) ?? []) {
        if ((await accounts.identify(visitor.cookies)) !== null) return true;
      }
      return false;
    },
    close,
  };
}

/** Opens accounts in memory. */
export function inMemory(): World {
  const clock = createFixedClock(new Date());
  const accounts = createMemoryAccounts({ clock, ids: createCountingIds(), offersPasskeys: true });
  let made = 0;
  return worldOf({
    accounts,
    staff: accounts.staff,
    advance: clock.advance,
    codeOf: () => MEMORY_CODE,
    newAuthenticator() {
      made += 1;
      const name = `device ${made}`;
      const answer = (options: string) => memoryPasskeyAnswer(options, name);
      return { create: answer, get: answer };
    },
    close: async () => undefined,
  });
}

/** Opens accounts on an empty database. Attempts are not counted, because those in memory are not, either. */
export async function on(database: AccountsDatabase): Promise<World> {
  const rateLimiter: RateLimiter = {
    consume: async (_, { requests }) =>
      ({ allowed: true, remaining: requests, resetAt: new Date() }) as RateLimitDecision,
    giveBack: async () => undefined,
  };
  const given = await givenAccounts(database, { rateLimiter });
  return worldOf({
    accounts: given.accounts,
    staff: given.accounts,
    advance: given.clock.advance,
    codeOf: (secret) => codeOf(secret, given.clock.now()),
    newAuthenticator,
    close: () => given.accounts.close(),
  });
}
