// Every case of the kit on each kind of database, each with empty tables.
import { type PasskeysSubject, passkeysContract, staffContract } from '@countersign/storage-contract';
import { describeWith } from '@countersign/test-support/servers';
import { isInRun } from '@countersign/test-support/size-of-run';
import { afterAll, beforeAll } from 'vitest';
import { addSecondFactor, givenAccounts, PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { type Authenticator, newAuthenticator } from '../../test-support/authenticator.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import { DATABASES, type Databases } from '../../test-support/databases.ts';
import { type AccountsDatabase, createStaffManagement } from '../index.ts';

/** Further instances on the same database, each with its own connections. */
const OTHERS = 3;

async function subjectOn(database: AccountsDatabase): Promise<PasskeysSubject> {
  const { accounts, clock } = await givenAccounts(database);
  const { passkeys } = accounts;
  if (passkeys === undefined) throw new Error('there are no passkeys');
  const others = await Promise.all(
    Array.from({ length: OTHERS }, () => createStaffManagement({ database, clock, migrate: false })),
  );
  const instances = [accounts, ...others];
  const browsers = new Map<string, Browser>();
  const authenticators = new Map<string, Authenticator>();
  let [calls, visitors] = [0, 0];

  // Each visitor has another address, because attempts are counted by address.
  const newVisitor = () => newBrowser(`192.0.2.${++visitors}`);

  function browserOf(userId: string): Browser {
    const browser = browsers.get(userId);
    if (browser === undefined) throw new Error('the user has not joined');
    return browser;
  }

  return {
    passkeys,
    instance: () => instances[calls++ % instances.length] ?? accounts,
    now: clock.now,
    elapse: async (milliseconds) => clock.advance(milliseconds),
    async join(link) {
      const browser = newVisitor();
      const input = { token: tokenOf(link), password: PASSWORD };
      const { outcome } = browser.keep(await accounts.acceptInvitation(browser.visitor, input));
      if (outcome === 'signed_in') browsers.set(link.user.id, browser);
      return outcome === 'signed_in';
    },
    async addSecondFactor(userId) {
      const browser = browserOf(userId);
      await addSecondFactor({ accounts, clock }, browser);
    },
    async addPasskey(user, name) {
      // A copy of the user's browser, because several calls at once have one challenge each.
      const browser = newVisitor();
      browser.keep({ setCookies: (browserOf(user.id).visitor.cookies ?? '').split('; ') });
      const { options } = browser.keep(await passkeys.beginAdding(browser.visitor, user));
      const authenticator = newAuthenticator();
      const response = authenticator.create(options);
      const { outcome } = await passkeys.finishAdding(browser.visitor, { user, name, response });
      if (outcome === 'throttled') throw new Error(outcome);
      authenticators.set(`${user.id} ${name}`, authenticator);
      return outcome;
    },
    async enterPasskey(user, name) {
      const browser = newVisitor();
      const begun = await passkeys.begin(browser.visitor, 'sign_in');
      const authenticator = authenticators.get(`${user.id} ${name}`);
      if (begun === null || authenticator === undefined) throw new Error('there is no such passkey');
      browser.keep(begun);
      const response = authenticator.get(begun.options);
      const verified = await passkeys.finish(browser.visitor, { purpose: 'sign_in', response });
      if (verified.outcome !== 'verified') return false;
      return (await passkeys.startSession(browser.visitor, verified)).outcome === 'signed_in';
    },
    async close() {
      for (const instance of [accounts, ...others]) await instance.close();
    },
  };
}

for (const [name, needs, open] of DATABASES) {
  if (!isInRun(needs.includes('pgbouncer') ? 'rest' : 'quick')) continue;
  describeWith(needs, `accounts on ${name}`, () => {
    let databases: Databases;
    beforeAll(async () => {
      databases = await open();
    });
    afterAll(() => databases.close());

    staffContract('staff', async () => subjectOn(await databases.emptied()));
    passkeysContract('passkeys', async () => subjectOn(await databases.emptied()));
  });
}
