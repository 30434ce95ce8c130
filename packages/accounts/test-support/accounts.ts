import { hash as digest } from 'node:crypto';
import type { RateLimiter } from '@countersign/domain';
import type { MailRecipients } from '@countersign/domain/mail';
import type {
  Accounts,
  ManageStaff,
  SecondFactorSetup,
  SignInOutcome,
  StaffRole,
  TeamRole,
} from '@countersign/domain/staff';
import { createFixedClock, createMemoryRateLimiter, type FixedClock } from '@countersign/memory';
import { assembleAccounts } from '../src/create-accounts.ts';
import type { Passwords } from '../src/credentials/passwords.ts';
import type { AccountsDatabase, SingleSignOnOptions } from '../src/index.ts';
import { type Browser, newBrowser } from './browser.ts';
import { codeOf } from './device.ts';

export type OpenAccounts = Accounts & ManageStaff & MailRecipients & { close(): Promise<void> };

export const PASSWORD = 'violet anchor 7 gravel';
export const KEY: Uint8Array = Buffer.alloc(32, 7);

/** The accounts of a test. */
export interface Given {
  readonly accounts: OpenAccounts;
  readonly clock: FixedClock;
  /** Number of times a password was hashed or compared. */
  readonly hashed: { times: number };
  /** Creates a user with a password and signs them in. */
  user(input?: { email?: string; role?: StaffRole; clientId?: string; teamRole?: TeamRole }): Promise<Browser>;
  /** The id of the user with this e-mail address. */
  idOf(email: string): Promise<string>;
  /** Makes a one-time link for the user with this e-mail address. */
  linkFor(email: string): Promise<NonNullable<Awaited<ReturnType<OpenAccounts['invite']>>>>;
  /** Signs Ann in with her password, and keeps the cookies. */
  signIn(browser: Browser, input?: { email?: string; password?: string }): Promise<SignInOutcome>;
}

/** Begins the set-up of a second factor in the browser of a user. */
export async function beginSecondFactor(
  accounts: Pick<OpenAccounts, 'beginSecondFactor'>,
  { visitor }: Pick<Browser, 'visitor'>,
): Promise<SecondFactorSetup> {
  const begun = await accounts.beginSecondFactor(visitor, PASSWORD);
  if (begun.outcome !== 'begun') throw new Error(begun.outcome);
  return begun;
}

/** Sets up a second factor in the browser of a user. */
export async function addSecondFactor(
  { accounts, clock }: Pick<Given, 'accounts' | 'clock'>,
  browser: Browser,
): Promise<SecondFactorSetup> {
  const begun = await beginSecondFactor(accounts, browser);
  const confirmed = await accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret, clock.now()));
  if (browser.keep(confirmed).outcome !== 'signed_in') throw new Error(confirmed.outcome);
  return begun;
}

export async function givenAccounts(
  database: AccountsDatabase,
  options: {
    secretKeys?: readonly Uint8Array[];
    publicBaseUrl?: string;
    rateLimiter?: RateLimiter;
    passwords?: Passwords;
    singleSignOn?: SingleSignOnOptions;
  } = {},
): Promise<Given> {
  const clock = createFixedClock(new Date());
  const hashed = { times: 0 };
  const accounts = await assembleAccounts(
    {
      database,
      clock,
      secretKeys: [KEY],
      publicBaseUrl: 'https://verify.example/kyc',
      rateLimiter: createMemoryRateLimiter(clock),
      ...options,
    },
    counting(options.passwords ?? quickPasswords, hashed),
  );
  const idOf = async (email: string): Promise<string> => {
    const user = await accounts.findByEmail(email);
    if (user === null) throw new Error('user not found');
    return user.id;
  };
  return {
    accounts,
    clock,
    hashed,
    async user({ email = 'ann@example.com', role = 'reviewer', clientId, teamRole } = {}) {
      const made = await accounts.create({ email, role, clientId, teamRole, name: 'Ann Reviewer' });
      if (made.outcome !== 'created') throw new Error(made.outcome);
      const browser = newBrowser();
      const token = tokenOf(made);
      browser.keep(await accounts.acceptInvitation(browser.visitor, { token, password: PASSWORD }));
      return browser;
    },
    idOf,
    async linkFor(email) {
      const link = await accounts.invite(await idOf(email));
      if (link === null) throw new Error('user not found');
      return link;
    },
    signIn: async (browser, { email = 'ann@example.com', password = PASSWORD } = {}) =>
      browser.keep(await accounts.signIn(browser.visitor, { email, password })),
  };
}

export function tokenOf({ invitationPath }: { invitationPath: string }): string {
  return invitationPath.split('/').at(-1) ?? '';
}

/** Replaces the real hash, which takes a tenth of a second on purpose. */
export const quickPasswords: Passwords = {
  hash: async (password) => `quick:${digest('sha256', password)}`,
  verify: async ({ hash, password }) => hash === `quick:${digest('sha256', password)}`,
};

function counting({ hash, verify }: Passwords, hashed: { times: number }): Passwords {
  return {
    hash(password) {
      hashed.times += 1;
      return hash(password);
    },
    verify(input) {
      hashed.times += 1;
      return verify(input);
    },
  };
}
