import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
import { expect, it, onTestFinished } from 'vitest';
import {
  beginSecondFactor,
  givenAccounts,
  type OpenAccounts,
  PASSWORD,
  quickPasswords,
  tokenOf,
} from '../../test-support/accounts.ts';
import { newAuthenticator } from '../../test-support/authenticator.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { everythingIn, runIn } from '../../test-support/databases.ts';
import { codeOf, nextCodeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import type { AccountsDatabase } from '../index.ts';

const EMAIL = 'ann@example.com';
const REFUSED = { outcome: 'refused' };

onEveryDatabase('a user who is removed', (at) => {
  let id = '';

  async function leave(): Promise<void> {
    id = await at.idOf(EMAIL);
    const removed = await at.accounts.remove(id, { keepOwner: false });
    expect(removed.outcome).toBe('removed');
  }

  /** Returns the same accounts, but removes Ann right after the named call. */
  async function leavingOnce(
    what: 'password hashed' | 'password compared' | 'attempt counted',
  ): Promise<OpenAccounts> {
    const limiter = createMemoryRateLimiter(createFixedClock(new Date()));
    const { accounts } = await givenAccounts(at.database, {
      passwords: {
        async hash(password) {
          if (what === 'password hashed') await leave();
          return quickPasswords.hash(password);
        },
        async verify(input) {
          const isRight = await quickPasswords.verify(input);
          if (what === 'password compared') await leave();
          return isRight;
        },
      },
      rateLimiter: {
        ...limiter,
        async consume(bucket, limit) {
          const answer = await limiter.consume(bucket, limit);
          if (what === 'attempt counted' && bucket.includes(':code:')) await leave();
          return answer;
        },
      },
    });
    onTestFinished(() => accounts.close());
    return accounts;
  }

  /** Every row of a user has the user's id, except counts of wrong codes, which expire in minutes. */
  async function expectNothingLeft(): Promise<void> {
    const kept = await everythingIn(at.database);
    expect(id).not.toBe('');
    expect(kept).not.toContain(id);
    expect(kept).not.toContain(EMAIL);
  }

  async function begun() {
    const browser = await at.user();
    const answer = await beginSecondFactor(at.accounts, browser);
    return { browser, ...answer };
  }

  /** A browser that waits for a code, and valid codes. */
  async function waiting() {
    const { browser, secret, backupCodes } = await begun();
    await at.accounts.confirmSecondFactor(browser.visitor, codeOf(secret, at.clock.now()));
    const other = newBrowser();
    await at.signIn(other);
    return {
      visitor: other.visitor,
      codes: { code: nextCodeOf(secret, at.clock.now()), 'backup code': backupCodes[0] ?? '' },
    };
  }

  async function linkToken(): Promise<string> {
    const link = await at.linkFor(EMAIL);
    return tokenOf(link);
  }

  it('leaves no second factor, no passkey and no identity', async () => {
    const { browser, secret } = await begun();
    browser.keep(await at.accounts.confirmSecondFactor(browser.visitor, codeOf(secret, at.clock.now())));
    const { passkeys, identities } = at.accounts;
    const user = await at.accounts.findByEmail(EMAIL);
    if (passkeys === undefined || user === null) throw new Error('there are no passkeys');
    const { options } = browser.keep(await passkeys.beginAdding(browser.visitor, user));
    const response = newAuthenticator().create(options);
    await passkeys.finishAdding(browser.visitor, { user, name: "Ann's laptop", response });
    await identities.connect(user.id, { issuer: 'https://login.example', subject: 'sub-ann' }, { kind: 'email' });
    const before = await everythingIn(at.database);
    expect(before).toContain("Ann's laptop");
    expect(before).toContain('sub-ann');
    await leave();
    await expectNothingLeft();
    expect(await everythingIn(at.database)).not.toMatch(/laptop|sub-ann/);
  });

  it('while their password is compared is refused', async () => {
    await at.user();
    const accounts = await leavingOnce('password compared');
    expect(await accounts.signIn(newBrowser().visitor, { email: EMAIL, password: PASSWORD })).toEqual(REFUSED);
    await expectNothingLeft();
  });

  it('while their one-time link is used up is refused', async () => {
    await at.user();
    const token = await linkToken();
    const accounts = await leavingOnce('password hashed');
    const { visitor } = newBrowser();
    expect(await accounts.acceptInvitation(visitor, { token, password: PASSWORD })).toEqual(REFUSED);
    await expectNothingLeft();
  });

  it('removal: the session that a one-time link begins is refused', async () => {
    await at.user();
    const token = await linkToken();
    await runIn(at.database, LEAVE_AS_A_SESSION_BEGINS[at.database.kind]);
    const { visitor } = newBrowser();
    expect(await at.accounts.acceptInvitation(visitor, { token, password: PASSWORD })).toEqual(REFUSED);
  });

  it('while they begin a second factor is refused', async () => {
    const browser = await at.user();
    const accounts = await leavingOnce('password compared');
    expect(await accounts.beginSecondFactor(browser.visitor, PASSWORD)).toEqual(REFUSED);
    await expectNothingLeft();
  });

  it('before the code of their new device is checked is refused', async () => {
    const { browser, secret } = await begun();
    const accounts = await leavingOnce('attempt counted');
    expect(await accounts.confirmSecondFactor(browser.visitor, codeOf(secret, at.clock.now()))).toEqual(REFUSED);
    await expectNothingLeft();
  });

  it.each(['code', 'backup code'] as const)('before their %s is checked is refused', async (which) => {
    const { visitor, codes } = await waiting();
    const accounts = await leavingOnce('attempt counted');
    expect(await accounts.enterSecondFactor(visitor, codes[which])).toEqual(REFUSED);
    await expectNothingLeft();
  });

  it.each(['code', 'backup code'] as const)('as their session begins with a %s is refused', async (which) => {
    const { visitor, codes } = await waiting();
    await runIn(at.database, LEAVE_AS_A_SESSION_BEGINS[at.database.kind]);
    expect(await at.accounts.enterSecondFactor(visitor, codes[which])).toEqual(REFUSED);
  });

  it('as their session begins with a new device is refused', async () => {
    const { browser, secret } = await begun();
    await runIn(at.database, LEAVE_AS_A_SESSION_BEGINS[at.database.kind]);
    expect(await at.accounts.confirmSecondFactor(browser.visitor, codeOf(secret, at.clock.now()))).toEqual(
      REFUSED,
    );
  });
});

/** Makes the database remove the user between the last check and the insertion of the session. */
const LEAVE_AS_A_SESSION_BEGINS: Readonly<Record<AccountsDatabase['kind'], string>> = {
  sqlite: `
    CREATE TRIGGER leave BEFORE INSERT ON staff_sessions BEGIN DELETE FROM staff_users; END`,
  postgres: `
    CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN DELETE FROM staff_users; RETURN NEW; END';
    CREATE TRIGGER leave BEFORE INSERT ON staff_sessions FOR EACH ROW EXECUTE FUNCTION leave()`,
};
