import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addSecondFactor, type Given, givenAccounts } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { type Databases, sqliteDatabases } from '../../test-support/databases.ts';

const KEY = { issuer: 'https://login.example', subject: 'ann' };

let databases: Databases;
let given: Given;
let file: string;

beforeEach(async () => {
  databases = await sqliteDatabases();
  const database = await databases.fresh();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  file = database.file;
  given = await givenAccounts(database, {
    singleSignOn: { providers: [], passwordsOff: [], allowsLoopback: true },
  });
});

afterEach(async () => {
  await given.accounts.close();
  await databases.close();
});

/** Counts what a sign-in begins: sessions and pending sign-ins. */
function begun(userId: string): number {
  const db = new Database(file, { readonly: true });
  const { sessions, pending } = db
    .prepare<unknown[], { sessions: number; pending: number }>(
      `select (select count(*) from staff_sessions where user_id = ?) as sessions,
       (select count(*) from staff_verifications where value = ?) as pending`,
    )
    .get(userId, userId) ?? { sessions: -1, pending: -1 };
  db.close();
  return sessions + pending;
}

describe.each([true, false])(
  'single sign-on: a sign-in, second factor at the provider: %s',
  (withSecondFactor) => {
    async function connected() {
      const browser = await given.user();
      await addSecondFactor(given, browser);
      await given.accounts.signOut(browser.visitor);
      const userId = await given.idOf('ann@example.com');
      await given.accounts.identities.connect(userId, KEY, { kind: 'email' });
      const before = begun(userId);
      const start = async () => {
        const use = { userId, key: KEY, withdrawnAt: null, endPassword: false };
        return given.accounts.singleSignOn?.startSession(newBrowser().visitor, { use, withSecondFactor });
      };
      return { userId, before, start };
    }

    it('begins for a connected user', async () => {
      const { userId, before, start } = await connected();
      expect((await start())?.outcome).toBe(withSecondFactor ? 'signed_in' : 'second_factor_needed');
      expect(begun(userId)).toBe(before + 1);
    });

    it.each(['withdraw', 'disconnect'] as const)(
      '%s meanwhile: refused, and nothing that began remains',
      async (end) => {
        const { userId, start } = await connected();
        await given.accounts.identities[end](userId);
        const before = begun(userId);
        expect(await start()).toEqual({ outcome: 'refused' });
        expect(begun(userId)).toBe(before);
        const found = await given.accounts.identities.find(KEY);
        expect(found === null || found.withdrawnAt !== null).toBe(true);
      },
    );
  },
);
