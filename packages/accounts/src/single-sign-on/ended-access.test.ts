import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSecondFactor, type Given, givenAccounts } from '../../test-support/accounts.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import { type Databases, runIn, sqliteDatabases } from '../../test-support/databases.ts';
import { codeOf } from '../../test-support/device.ts';

const KEY = { issuer: 'https://login.example', subject: 'ann' };

let databases: Databases;
let given: Given;
let file: string;

beforeAll(async () => {
  databases = await sqliteDatabases();
});
afterAll(() => databases.close());

beforeEach(async () => {
  const database = await databases.emptied();
  if (database.kind !== 'sqlite') throw new Error(database.kind);
  file = database.file;
  given = await givenAccounts(database, {
    singleSignOn: { providers: [], passwordsOff: [], allowsLoopback: true },
  });
});

afterEach(() => given.accounts.close());

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
      const { secret } = await addSecondFactor(given, browser);
      await given.accounts.signOut(browser.visitor);
      const userId = await given.idOf('ann@example.com');
      await given.accounts.identities.connect(userId, KEY, { kind: 'email' });
      const before = begun(userId);
      const start = async (of: Browser = newBrowser()) => {
        const use = { userId, key: KEY, withdrawnAt: null, endPassword: false };
        const started = await given.accounts.singleSignOn?.startSession(of.visitor, { use, withSecondFactor });
        return started && of.keep(started);
      };
      return { userId, secret, before, start };
    }

    it('begins for a connected user', async () => {
      const { userId, before, start } = await connected();
      expect((await start())?.outcome).toBe(withSecondFactor ? 'signed_in' : 'second_factor_needed');
      expect(begun(userId)).toBe(before + 1);
    });

    it('replaces the session that the browser had', async () => {
      const { secret, start } = await connected();
      const browser = await given.user({ email: 'bob@example.com' });
      const { cookies } = browser.visitor;
      await start(browser);
      expect(await given.accounts.identify(cookies)).toBeNull();
      given.clock.advance(60_000);
      if (!withSecondFactor)
        browser.keep(await given.accounts.enterSecondFactor(browser.visitor, codeOf(secret, given.clock.now())));
      const session = await given.accounts.identify(browser.visitor.cookies);
      expect(session?.user.email).toBe('ann@example.com');
    });

    it('a removed user is refused, and the browser keeps its session', async () => {
      const { userId, start } = await connected();
      const browser = await given.user({ email: 'bob@example.com' });
      await given.accounts.remove(userId, { keepOwner: true });
      expect(await start(browser)).toEqual({ outcome: 'refused' });
      expect((await given.accounts.identify(browser.visitor.cookies))?.user.email).toBe('bob@example.com');
    });

    it('a user who is removed meanwhile is refused', async () => {
      const { userId, start } = await connected();
      const browser = await given.user({ email: 'bob@example.com' });
      // The first change is the end of the session that the browser had.
      await runIn(
        { kind: 'sqlite', file },
        `CREATE TRIGGER leave AFTER DELETE ON staff_sessions BEGIN DELETE FROM staff_users WHERE id = '${userId}'; END`,
      );
      expect(await start(browser)).toEqual({ outcome: 'refused' });
      expect(await given.accounts.findByEmail('ann@example.com')).toBeNull();
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
