import { INVITATION_LIFETIME_MS, PASSWORD_MAX } from '@countersign/domain/staff';
import Database from 'better-sqlite3';
import postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { givenAccounts, PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import type { PlacedDatabase } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { openDatabase } from '../database/open-database.ts';
import { redeem, removeFactor, replace } from './invitations.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EMAIL = 'ann@example.com';

/** Returns a function that tells how much others have written to the database since. */
async function countingWrites(database: PlacedDatabase): Promise<() => Promise<number>> {
  const read = await versionOf(database);
  const before = await read();
  return async () => (await read()) - before;
}

async function versionOf(database: PlacedDatabase): Promise<() => Promise<number>> {
  if (database.kind === 'sqlite') {
    const reader = new Database(database.file, { readonly: true });
    onTestFinished(() => void reader.close());
    return async () => Number(reader.pragma('data_version', { simple: true }));
  }
  const reader = postgres(database.url, { max: 1 });
  onTestFinished(() => reader.end());
  return async () => {
    // Only a transaction that writes takes the next id.
    const [row] = await reader`select pg_snapshot_xmax(pg_current_snapshot())::text as next`;
    return Number(row?.next);
  };
}

onEveryDatabase('one-time link', (at) => {
  it('can be read often, and of several uses at once one succeeds', async () => {
    const made = await at.accounts.create({ email: EMAIL, role: 'operator', name: 'Ann' });
    const token = tokenOf(made);
    expect(made.invitationPath).toMatch(/^\/account\/welcome\/[\w-]{43}$/);
    expect(made.expiresAt.getTime() - at.clock.now().getTime()).toBe(24 * HOUR);
    for (let n = 0; n < 3; n++)
      expect(await at.accounts.invitationOf(token)).toEqual({ email: EMAIL, name: 'Ann' });

    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        at.accounts.acceptInvitation(newBrowser().visitor, { token, password: PASSWORD }),
      ),
    );

    const outcomes = answers.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'refused', 'signed_in']);
    expect(await at.accounts.invitationOf(token)).toBeNull();
  });

  it('a one-time link shows that its user may set no password if passwords are off for the role', async () => {
    const singleSignOn = { providers: [], passwordsOff: ['operator'], allowsLoopback: false } as const;
    const { accounts } = await givenAccounts(at.database, { singleSignOn });
    onTestFinished(() => accounts.close());
    const invited = async (email: string, role: 'operator' | 'reviewer') =>
      accounts.invitationOf(tokenOf(await accounts.create({ email, role, name: 'Ann' })));
    expect(await invited(EMAIL, 'operator')).toEqual({ email: EMAIL, name: 'Ann', mayUsePassword: false });
    const other = 'bob@example.com';
    expect(Object.keys((await invited(other, 'reviewer')) ?? {})).toEqual(['email', 'name']);
  });

  it('of a withheld invitation can be read like any other, and sets no password', async () => {
    const { accounts } = at;
    await at.user();
    const input = { email: EMAIL, name: 'Ann', role: 'client', clientId: 'c1', teamRole: 'agent' } as const;
    const made = await accounts.create(input, { withholds: true });
    const token = tokenOf(made);
    expect(await accounts.invitationOf(token)).toEqual({ email: EMAIL, name: 'Ann', withheldFor: 'c1' });
    const accept = (password: string) => accounts.acceptInvitation(newBrowser().visitor, { token, password });
    expect(await accept('password1234')).toEqual({ outcome: 'password_refused', reason: 'too_common' });
    expect(await accept('granite umbrella 4 lemur')).toEqual({ outcome: 'refused' });
    expect((await at.signIn(newBrowser())).outcome).toBe('signed_in');
    const again = await accounts.invite(made.user.id);
    expect(again && (await accounts.invitationOf(tokenOf(again)))).not.toBeNull();
    expect(await accounts.invitationOf(token)).toBeNull();
    at.clock.advance(24 * HOUR);
    expect(again && (await accounts.invitationOf(tokenOf(again)))).toBeNull();
  });

  it('a second invitation writes, whether the first is withheld or not: the commit takes as long', async () => {
    const { accounts } = at;
    await at.user();
    const input = (email: string) => ({ email, role: 'client', clientId: 'c1', teamRole: 'agent' }) as const;
    for (const email of [EMAIL, 'bob@example.com']) {
      await accounts.create(input(email), { withholds: true });
      const writes = await countingWrites(at.database);
      expect((await accounts.create(input(email), { withholds: true })).outcome).toBe('exists');
      expect(await writes()).toBeGreaterThan(0);
    }
  });

  it('ends after a day, and when a new one is created', async () => {
    await at.user();
    const id = await at.idOf(EMAIL);
    const first = await at.accounts.invite(id);
    const second = await at.accounts.invite(id);
    if (first === null || second === null) throw new Error('user not found');
    expect(await at.accounts.invitationOf(tokenOf(first))).toBeNull();
    at.clock.advance(24 * HOUR);
    expect(await at.accounts.invitationOf(tokenOf(second))).toBeNull();
    const late = await at.accounts.acceptInvitation(newBrowser().visitor, {
      token: tokenOf(second),
      password: PASSWORD,
    });
    expect(late.outcome).toBe('refused');
    expect(await at.accounts.invite('no-such-user')).toBeNull();
  });

  it('sets the password and ends every session', async () => {
    const browser = await at.user();
    const link = await at.linkFor(EMAIL);
    const fresh = newBrowser();
    const password = 'copper lantern 42 tide';
    fresh.keep(await at.accounts.acceptInvitation(fresh.visitor, { token: tokenOf(link), password }));
    expect(await at.accounts.identify(fresh.visitor.cookies)).not.toBeNull();
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    const old = await at.signIn(newBrowser());
    expect(old.outcome).toBe('refused');
  });

  it.each([
    ['eleven char', 'too_short'],
    ['🔐'.repeat(11), 'too_short'],
    ['v'.repeat(PASSWORD_MAX + 1), 'too_long'],
    ['password1234', 'too_common'],
    ['qwertyuiopasdf', 'too_common'],
    ['ann@example.com', 'too_common'],
  ])('%j is refused as a password, and the link stays', async (password, reason) => {
    const made = await at.accounts.create({ email: EMAIL, role: 'operator' });
    const token = tokenOf(made);
    const answer = await at.accounts.acceptInvitation(newBrowser().visitor, { token, password });
    expect(answer).toEqual({ outcome: 'password_refused', reason });
    expect(await at.accounts.invitationOf(token)).not.toBeNull();
  });
});

onEveryDatabase('a link that ends while it is used', (at) => {
  it('an expired or used link, or one of a removed user, sets no password and removes no second factor', async () => {
    await at.user();
    const token = tokenOf(await at.linkFor(EMAIL));
    const db = await openDatabase(at.database);
    onTestFinished(() => db.destroy());
    const set = { passwordHash: 'hash', newId: 'new', kind: at.database.kind };
    const late = new Date(at.clock.now().getTime() + INVITATION_LIFETIME_MS);
    expect(await redeem(db, { ...set, token, now: late })).toBe(false);
    expect(await replace(db, { ...set, userId: 'removed', mark: null, now: at.clock.now() })).toBe(false);
    expect(await removeFactor(db, { userId: 'removed', mark: 'mark', kind: at.database.kind })).toBe(false);
    expect(await redeem(db, { ...set, token, now: new Date(late.getTime() - 1) })).toBe(true);
    expect(await redeem(db, { ...set, token, now: at.clock.now() })).toBe(false);
  });
});
