import { hash as digest } from 'node:crypto';
import type { Accounts, ManageStaff, RateLimiter, StaffRole } from '@countersign/domain';
import { createFixedClock, createMemoryRateLimiter, type FixedClock } from '@countersign/memory';
import type { Passwords } from '../better-auth/passwords.ts';
import { assembleAccounts } from '../create-accounts.ts';
import type { AccountsDatabase } from '../index.ts';
import { type Browser, newBrowser } from './browser.ts';

export type OpenAccounts = Accounts & ManageStaff & { close(): Promise<void> };

export const PASSWORD = 'violet anchor 7 gravel';
export const KEY: Uint8Array = Buffer.alloc(32, 7);

/** Accounts of a test, with a clock that stands at the present: better-auth looks at the system's. */
export interface Given {
  readonly accounts: OpenAccounts;
  readonly clock: FixedClock;
  /** How often a password was hashed or compared. */
  readonly hashed: { times: number };
  /** Makes somebody with a password who is signed in. */
  member(input?: { email?: string; role?: StaffRole; clientId?: string }): Promise<Browser>;
}

export async function givenAccounts(
  database: AccountsDatabase,
  options: {
    secretKeys?: readonly Uint8Array[];
    publicBaseUrl?: string;
    rateLimiter?: RateLimiter;
    passwords?: Passwords;
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
  return {
    accounts,
    clock,
    hashed,
    async member({ email = 'ann@example.com', role = 'reviewer', clientId } = {}) {
      const made = await accounts.create({ email, role, clientId, name: 'Ann Reviewer' });
      if (made.outcome !== 'created') throw new Error(made.outcome);
      const browser = newBrowser();
      const token = tokenOf(made);
      browser.keep(await accounts.acceptInvitation(browser.visitor, { token, password: PASSWORD }));
      return browser;
    },
  };
}

export function tokenOf({ invitationPath }: { invitationPath: string }): string {
  return invitationPath.split('/').at(-1) ?? '';
}

/** Real hashing takes a tenth of a second each time, on purpose. */
const quickPasswords: Passwords = {
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
