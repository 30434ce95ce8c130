import { type StaffSubject, staffContract } from '@countersign/storage-contract';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll } from 'vitest';
import { givenAccounts, PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import { DATABASES, type Databases } from '../../test-support/databases.ts';
import { codeOf } from '../../test-support/device.ts';
import { type AccountsDatabase, createStaffManagement } from '../index.ts';

/** Further instances on the same database, each with its own connections. */
const OTHERS = 3;

async function subjectOn(database: AccountsDatabase): Promise<StaffSubject> {
  const { accounts, clock } = await givenAccounts(database);
  const others = await Promise.all(
    Array.from({ length: OTHERS }, () => createStaffManagement({ database, clock, migrate: false })),
  );
  const instances = [accounts, ...others];
  const browsers = new Map<string, Browser>();
  let [calls, visitors] = [0, 0];

  return {
    instance: () => instances[calls++ % instances.length] ?? accounts,
    now: clock.now,
    elapse: async (milliseconds) => clock.advance(milliseconds),
    async join(link) {
      // Each visitor has another address, because attempts are counted by address.
      const browser = newBrowser(`192.0.2.${++visitors}`);
      const input = { token: tokenOf(link), password: PASSWORD };
      const { outcome } = browser.keep(await accounts.acceptInvitation(browser.visitor, input));
      if (outcome === 'signed_in') browsers.set(link.user.id, browser);
      return outcome === 'signed_in';
    },
    async addSecondFactor(userId) {
      const browser = browsers.get(userId);
      if (browser === undefined) throw new Error('the user has not joined');
      const begun = await accounts.beginSecondFactor(browser.visitor, PASSWORD);
      if (begun.outcome !== 'begun') throw new Error(begun.outcome);
      await accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret));
    },
    async close() {
      for (const instance of [accounts, ...others]) await instance.close();
    },
  };
}

for (const [name, needs, open] of DATABASES) {
  describeWith(needs, `accounts on ${name}`, () => {
    let databases: Databases;
    beforeAll(async () => {
      databases = await open();
    });
    afterAll(() => databases.close());

    staffContract('staff', async () => subjectOn(await databases.fresh()));
  });
}
