import { PASSWORD_MAX } from '@countersign/domain/staff';
import { expect, it, onTestFinished } from 'vitest';
import {
  addSecondFactor,
  beginSecondFactor,
  givenAccounts,
  PASSWORD,
  tokenOf,
} from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { runIn } from '../../test-support/databases.ts';
import { codeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { providerSettings } from '../../test-support/provider-settings.ts';
import { createPasswords } from '../credentials/passwords.ts';

const MINUTE = 60_000;
const EMAIL = 'ann@example.com';
const WRONG = 'wrong password 1';

onEveryDatabase('confirm identity', (at) => {
  const confirmedAt = async (cookies: string | undefined) => (await at.accounts.identify(cookies))?.confirmedAt;

  it('its form is on the account pages', () => {
    expect(at.accounts.confirmPath).toBe('/account/confirm');
  });

  it('a visitor who is not signed in has no way to confirm', async () => {
    const ways = await at.accounts.waysToConfirm(newBrowser().visitor);
    expect(ways).toEqual({ password: false, providers: [] });
  });

  it('a user confirms with the password, and at each provider that their identities belong to', async () => {
    const browser = await at.user();
    const providerOf = (id: string) =>
      providerSettings({ id, name: `Login of ${id}`, issuer: `https://${id}.example` });
    const { accounts } = await givenAccounts(at.database, {
      singleSignOn: { providers: ['acme', 'other'].map(providerOf), passwordsOff: [], allowsLoopback: false },
    });
    onTestFinished(() => accounts.close());
    expect(await accounts.waysToConfirm(browser.visitor)).toEqual({ password: true, providers: [] });
    const key = { issuer: 'https://acme.example', subject: 'ann' };
    await accounts.identities.connect(await at.idOf(EMAIL), key, { kind: 'email' });
    expect(await accounts.waysToConfirm(browser.visitor)).toEqual({
      password: true,
      providers: [{ id: 'acme', name: 'Login of acme' }],
    });
    // This server has no providers.
    expect(await at.accounts.waysToConfirm(browser.visitor)).toEqual({ password: true, providers: [] });
  });

  it('the password confirms this session only', async () => {
    const browser = await at.user();
    const other = newBrowser();
    await at.signIn(other);
    // Signing in does not count as a confirmation.
    expect(await confirmedAt(browser.visitor.cookies)).toBeNull();
    at.clock.advance(MINUTE);

    const { outcome } = browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));
    expect(outcome).toBe('confirmed');

    const first = at.clock.now();
    expect(await confirmedAt(browser.visitor.cookies)).toEqual(first);
    expect(await confirmedAt(other.visitor.cookies)).toBeNull();
    at.clock.advance(MINUTE);
    expect(await confirmedAt(browser.visitor.cookies)).toEqual(first);
    // A confirmation that holds is not prolonged.
    const again = await at.accounts.confirmIdentity(browser.visitor, PASSWORD);
    expect(again).toEqual({ outcome: 'confirmed', setCookies: [] });
    expect(await confirmedAt(browser.visitor.cookies)).toEqual(first);
    at.clock.advance(10 * MINUTE);
    browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));
    expect(await confirmedAt(browser.visitor.cookies)).toEqual(at.clock.now());
  });

  it('a session stolen before is not confirmed', async () => {
    const browser = await at.user();
    const stolen = browser.visitor.cookies;

    const confirmed = browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));

    expect(confirmed.outcome).toBe('confirmed');
    expect(await confirmedAt(browser.visitor.cookies)).toEqual(at.clock.now());
    expect(await confirmedAt(stolen)).toBeNull();
  });

  it('only the cookie of the last confirmation of this session is valid', async () => {
    const browser = await at.user();
    const [session = ''] = browser.visitor.cookies?.split('; ') ?? [];
    const confirm = async () => {
      browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));
      return browser.visitor.cookies?.split('; ').find((pair) => pair.includes('confirmation=')) ?? '';
    };
    const earlier = await confirm();
    at.clock.advance(10 * MINUTE);
    const last = await confirm();
    const changed = last.replace(/=./, (first) => (first === '=0' ? '=1' : '=0'));
    const forged = [earlier, changed, last.replace('confirmation', 'session_token'), session];
    const ofSession = session.replace('session_token', 'confirmation');

    expect(await confirmedAt(`${session}; ${last}`)).toEqual(at.clock.now());
    for (const other of [...forged, ofSession]) expect(await confirmedAt(`${session}; ${other}`)).toBeNull();

    const again = newBrowser();
    await at.signIn(again);
    expect(await confirmedAt(`${again.visitor.cookies}; ${last}`)).toBeNull();
  });

  it('the cookie is HttpOnly, lasts ten minutes, and is removed by a sign-out', async () => {
    const browser = await at.user();
    browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));
    expect(browser.attributesOf('confirmation')).toBe('Max-Age=600; Path=/kyc; HttpOnly; Secure; SameSite=Lax');

    browser.keep(await at.accounts.signOut(browser.visitor));
    // The device stays known.
    expect(browser.visitor.cookies).toMatch(/^__Secure-countersign\.device=[^;]+$/);
  });

  it('a wrong password is refused and keeps an earlier confirmation', async () => {
    const browser = await at.user();
    browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));
    const before = at.clock.now();
    at.clock.advance(MINUTE);
    for (const password of ['', WRONG, ` ${PASSWORD}`, 'x'.repeat(10_000)]) {
      expect(await at.accounts.confirmIdentity(browser.visitor, password)).toEqual({ outcome: 'refused' });
    }
    expect(await confirmedAt(browser.visitor.cookies)).toEqual(before);
  });

  it('without a session or with an ended one it is refused and confirms no other session', async () => {
    const browser = await at.user();
    const { visitor } = browser;
    await at.accounts.signOut(visitor);
    for (const cookies of [undefined, '', visitor.cookies, 'x=y']) {
      const asked = { cookies, clientAddress: '192.0.2.9' };
      expect(await at.accounts.confirmIdentity(asked, PASSWORD)).toEqual({ outcome: 'refused' });
    }
  });

  it("only the user's own password is accepted", async () => {
    const browser = await at.user();
    const made = await at.accounts.create({ email: 'bob@example.com', role: 'operator' });
    const bob = newBrowser();
    const theirs = 'copper lantern 42 tide';
    bob.keep(await at.accounts.acceptInvitation(bob.visitor, { token: tokenOf(made), password: theirs }));
    expect((await at.accounts.confirmIdentity(browser.visitor, theirs)).outcome).toBe('refused');
    expect((await at.accounts.confirmIdentity(bob.visitor, theirs)).outcome).toBe('confirmed');
  });

  it('ten wrong passwords in a session lock its confirmations, and no sign-in or other session', async () => {
    const browser = await at.user();
    const other = newBrowser();
    await at.signIn(other);
    const { cookies } = browser.visitor;
    const confirm = (n: number, password = WRONG) =>
      at.accounts.confirmIdentity({ cookies, clientAddress: `192.0.2.${n + 10}` }, password);
    for (let n = 0; n < 10; n++) expect((await confirm(n)).outcome).toBe('refused');

    const hashed = at.hashed.times;
    expect(await confirm(99, PASSWORD)).toEqual({ outcome: 'throttled', retryAfterSeconds: 15 * 60 });
    expect(at.hashed.times).toBe(hashed);
    expect(await confirmedAt(cookies)).toBeNull();
    expect((await at.accounts.confirmIdentity(other.visitor, PASSWORD)).outcome).toBe('confirmed');
    const again = newBrowser();
    const signedIn = await at.signIn(again);
    expect(signedIn.outcome).toBe('signed_in');
    at.clock.advance(15 * MINUTE);
    expect((await confirm(99, PASSWORD)).outcome).toBe('confirmed');
  });

  it('right passwords count apart from wrong ones: thirty in a quarter of an hour throttle the session', async () => {
    const browser = await at.user();
    const confirm = () => at.accounts.confirmIdentity(browser.visitor, PASSWORD);
    for (let n = 0; n < 30; n++) expect((await confirm()).outcome).toBe('confirmed');

    expect(await confirm()).toEqual({ outcome: 'throttled', retryAfterSeconds: 15 * 60 });
    at.clock.advance(15 * MINUTE);
    expect((await confirm()).outcome).toBe('confirmed');
  });

  it('a right and a wrong password cost the same number of hashes', async () => {
    const browser = await at.user();
    const costOf = async (password: string) => {
      const before = at.hashed.times;
      await at.accounts.confirmIdentity(browser.visitor, password);
      return at.hashed.times - before;
    };
    expect([await costOf(PASSWORD), await costOf(WRONG)]).toEqual([1, 1]);
  });

  it('ends with the session, by sign-out, a new sign-in, another password or a second factor', async () => {
    const browser = await at.user();
    const { accounts } = at;
    browser.keep(await accounts.confirmIdentity(browser.visitor, PASSWORD));
    await at.signIn(browser);
    expect(await confirmedAt(browser.visitor.cookies)).toBeNull();

    browser.keep(await accounts.confirmIdentity(browser.visitor, PASSWORD));
    const begun = await beginSecondFactor(accounts, browser);
    expect(await confirmedAt(browser.visitor.cookies)).not.toBeNull();
    browser.keep(await accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret, at.clock.now())));
    expect(await confirmedAt(browser.visitor.cookies)).toBeNull();

    browser.keep(await accounts.confirmIdentity(browser.visitor, PASSWORD));
    const link = await accounts.invite(await at.idOf(EMAIL));
    expect(await confirmedAt(browser.visitor.cookies)).not.toBeNull();
    await accounts.acceptInvitation(newBrowser().visitor, {
      token: tokenOf(link ?? { invitationPath: '' }),
      password: 'copper lantern 42 tide',
    });
    expect(await confirmedAt(browser.visitor.cookies)).toBeUndefined();
  });

  it('refused if the session ends while the password is checked', async () => {
    const browser = await at.user();
    const slow = await givenAccounts(at.database, {
      passwords: {
        hash: async () => '',
        async verify() {
          await at.accounts.signOut(browser.visitor);
          return true;
        },
      },
    });
    expect(await slow.accounts.confirmIdentity(browser.visitor, PASSWORD)).toEqual({ outcome: 'refused' });
    await slow.accounts.close();
  });

  it('a user without a password needs only a confirmed identity to change the second factor', async () => {
    const browser = await at.user();
    await addSecondFactor(at, browser);
    browser.keep(await at.accounts.confirmIdentity(browser.visitor, PASSWORD));
    await runIn(at.database, 'delete from staff_accounts');
    expect(await at.accounts.waysToConfirm(browser.visitor)).toEqual({ password: false, providers: [] });
    at.clock.advance(10 * MINUTE);
    expect((await at.accounts.removeSecondFactor(browser.visitor, PASSWORD)).outcome).toBe('refused');
    at.clock.advance(-1);
    expect((await at.accounts.removeSecondFactor(browser.visitor, '')).outcome).toBe('removed');
  });

  it('a password that is too long is refused without hashing; an unknown address is refused after hashing', async () => {
    await at.user();
    const before = at.hashed.times;
    const password = 'x'.repeat(PASSWORD_MAX + 1);
    expect((await at.signIn(newBrowser(), { password })).outcome).toBe('refused');
    expect(at.hashed.times).toBe(before);

    const real = await givenAccounts(at.database, { passwords: createPasswords() });
    expect((await real.signIn(newBrowser(), { email: 'unknown@example.com' })).outcome).toBe('refused');
    expect(real.hashed.times).toBe(1);
    await real.accounts.close();
  });

  it('a device remembers its latest five accounts, each once', async () => {
    const browser = newBrowser();
    const parts = () => {
      const [, value = ''] = /\.device=([^;]+)/.exec(browser.visitor.cookies ?? '') ?? [];
      return decodeURIComponent(value).split('.');
    };
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const email = `${name}@example.com`;
      await at.user({ email });
      await at.signIn(browser, { email });
      await at.signIn(browser, { email });
      // Its id, a mark for each account, and the signature.
      if (name === 'a') expect(parts()).toHaveLength(3);
    }
    expect(parts()).toHaveLength(7);
    expect(new Set(parts()).size).toBe(7);
  });
});
