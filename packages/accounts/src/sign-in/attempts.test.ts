// Hundreds of attempts on each kind of database.
import { createMemoryRateLimiter } from '@countersign/memory';
import { describe, expect, it } from 'vitest';
import { givenAccounts, PASSWORD, tokenOf } from '../../test-support/accounts.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const MINUTE = 60_000;
const EMAIL = 'ann@example.com';
const WRONG = 'wrong password 1';
const NEW_PASSWORD = 'copper lantern 42 tide';

onEveryDatabase('attempts to sign in', (at) => {
  const signIn = (browser: Browser, password = PASSWORD, email = EMAIL) =>
    at.accounts.signIn(browser.visitor, { email, password });
  const outcomeFrom = async (address: string, password = PASSWORD, email = EMAIL) =>
    (await signIn(newBrowser(address), password, email)).outcome;
  /** Wrong passwords for Ann, ten from each network. */
  async function flood(networks: number) {
    for (let n = 0; n < networks * 10; n++) await outcomeFrom(`203.0.113.${n % networks}`, WRONG);
  }

  it('ten wrong passwords in a quarter of an hour lock out their network, and no other', async () => {
    await at.user();
    for (let n = 0; n < 10; n++) expect(await outcomeFrom('203.0.113.1', WRONG)).toBe('refused');
    const hashed = at.hashed.times;
    expect(await signIn(newBrowser('203.0.113.1'))).toEqual({ outcome: 'throttled', retryAfterSeconds: 15 * 60 });
    expect(at.hashed.times).toBe(hashed);

    expect(await outcomeFrom('198.51.100.1')).toBe('signed_in');
    at.clock.advance(15 * MINUTE);
    expect(await outcomeFrom('203.0.113.1')).toBe('signed_in');
  });

  it('all addresses of an IPv6 /64 are one network', async () => {
    await at.user();
    for (let n = 0; n < 10; n++) await outcomeFrom(`2001:db8:1:2::${n + 1}`, WRONG);
    expect(await outcomeFrom('2001:db8:1:2:3:4:5:6')).toBe('throttled');
    expect(await outcomeFrom('2001:db8:1:3::1')).toBe('signed_in');
  });

  it('fifty wrong passwords from many networks lock out new devices, but no device that signed in before', async () => {
    const browser = await at.user();
    browser.keep(await at.accounts.signOut(browser.visitor));
    await flood(5);
    expect(await outcomeFrom('198.51.100.1')).toBe('throttled');
    expect(await outcomeFrom('198.51.100.1', PASSWORD, 'bob@example.com')).toBe('refused');
    expect((await signIn(browser)).outcome).toBe('signed_in');
  });

  it('strangers in the same network lock out no device that signed in before', async () => {
    const browser = await at.user();
    for (let n = 0; n < 30; n++) await outcomeFrom('192.0.2.1', WRONG, `u${n}@example.com`);
    expect(await outcomeFrom('192.0.2.1')).toBe('throttled');
    expect((await signIn(browser)).outcome).toBe('signed_in');
  });

  it('a device that signed in before gets ten wrong passwords too', async () => {
    const browser = await at.user();
    for (let n = 0; n < 10; n++) expect((await signIn(browser, WRONG)).outcome).toBe('refused');
    expect((await signIn(browser)).outcome).toBe('throttled');
    expect(await outcomeFrom('192.0.2.1')).toBe('signed_in');
  });

  it('right passwords lock out no one: four times, forty people behind one address sign in at the same moment', async () => {
    const emails = Array.from({ length: 40 }, (_, n) => `u${n}@example.com`);
    for (const email of emails) await at.user({ email });
    for (let burst = 0; burst < 4; burst++) {
      const outcomes = await Promise.all(emails.map((email) => outcomeFrom('192.0.2.1', PASSWORD, email)));
      expect(new Set(outcomes)).toEqual(new Set(['signed_in']));
    }
    expect(await outcomeFrom('192.0.2.1', PASSWORD, 'u0@example.com')).toBe('signed_in');
  }, 60_000);

  it('right passwords lock out no one: one account signs in fourteen times at the same moment, twice', async () => {
    await at.user();
    for (let burst = 0; burst < 2; burst++) {
      const outcomes = await Promise.all(Array.from({ length: 14 }, () => outcomeFrom('192.0.2.1')));
      expect(new Set(outcomes)).toEqual(new Set(['signed_in']));
    }
  });

  it('thirty right passwords in a quarter of an hour throttle the account on that device, and on no other', async () => {
    const browser = await at.user();
    for (let n = 0; n < 30; n++) expect((await signIn(browser)).outcome).toBe('signed_in');
    expect(await signIn(browser)).toEqual({ outcome: 'throttled', retryAfterSeconds: 15 * 60 });
    for (let n = 0; n < 30; n++) expect(await outcomeFrom('192.0.2.1')).toBe('signed_in');
    expect(await outcomeFrom('192.0.2.1')).toBe('throttled');
    expect(await outcomeFrom('198.51.100.1')).toBe('signed_in');
    at.clock.advance(15 * MINUTE);
    expect((await signIn(browser)).outcome).toBe('signed_in');
  });

  it('right passwords wait for the guesses of their network that are being checked, which stop at ten', async () => {
    await at.user();
    await at.user({ email: 'bob@example.com' });
    const guesses = Promise.all(Array.from({ length: 25 }, () => outcomeFrom('203.0.113.1', WRONG)));
    expect(await outcomeFrom('203.0.113.1', PASSWORD, 'bob@example.com')).toBe('signed_in');
    expect((await guesses).filter((outcome) => outcome === 'refused')).toHaveLength(10);
    expect(await outcomeFrom('203.0.113.1')).toBe('throttled');
  });

  it('of many guesses at once, ten are checked', async () => {
    await at.user();
    const before = at.hashed.times;
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => outcomeFrom('203.0.113.1', WRONG)));
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(10);
    expect(at.hashed.times - before).toBe(10);
  });

  it('thirty wrong passwords for any accounts lock out their network', async () => {
    for (let n = 0; n < 30; n++)
      expect(await outcomeFrom('192.0.2.1', WRONG, `u${n}@example.com`)).toBe('refused');
    expect(await outcomeFrom('192.0.2.1', WRONG, 'u30@example.com')).toBe('throttled');
  }, 60_000);

  it('a fault while the password is checked does not count', async () => {
    await at.user();
    const broken = await givenAccounts(at.database, {
      rateLimiter: createMemoryRateLimiter(at.clock),
      passwords: { hash: async () => '', verify: () => Promise.reject(new Error('the database is away')) },
    });
    const attempt = () => broken.accounts.signIn(newBrowser().visitor, { email: EMAIL, password: PASSWORD });
    for (let n = 0; n < 12; n++) await expect(attempt()).rejects.toThrow('the database is away');
    await broken.accounts.close();
  });

  it('wrong passwords at sign-in do not use up the confirmations of an open session', async () => {
    const browser = await at.user();
    await flood(5);
    expect((await at.accounts.confirmIdentity(browser.visitor, PASSWORD)).outcome).toBe('confirmed');
    expect((await at.accounts.beginSecondFactor(browser.visitor, PASSWORD)).outcome).toBe('begun');
  });

  it('one-time links: wrong passwords of the network do not count, a hundred bad links or new passwords do', async () => {
    for (let n = 0; n < 40; n++) await outcomeFrom('192.0.2.1', WRONG, `u${n}@example.com`);
    const made = await at.accounts.create({ email: EMAIL, role: 'operator' });
    const join = (token: string, password: string) =>
      at.accounts.acceptInvitation(newBrowser().visitor, { token, password });
    for (let n = 0; n < 40; n++) expect((await join(tokenOf(made), 'short')).outcome).toBe('password_refused');
    for (let n = 0; n < 60; n++) expect((await join(`token-${n}`, PASSWORD)).outcome).toBe('refused');
    expect((await join(tokenOf(made), PASSWORD)).outcome).toBe('throttled');
  });

  describe('the cookie of a device', () => {
    it('lasts a year, stays after a sign-out and holds no personal data', async () => {
      const browser = await at.user();
      expect(browser.attributesOf('device')).toBe('Max-Age=31536000; Path=/kyc; HttpOnly; Secure; SameSite=Lax');
      browser.keep(await at.accounts.signOut(browser.visitor));
      const { cookies = '' } = browser.visitor;
      expect(cookies).toMatch(/^__Secure-countersign\.device=[^;]+$/);
      for (const known of [EMAIL, await at.idOf(EMAIL)]) expect(decodeURIComponent(cookies)).not.toContain(known);
    });

    it('ends with the password', async () => {
      const browser = await at.user();
      const old = newBrowser();
      old.keep(await signIn(old));
      const link = await at.linkFor(EMAIL);
      browser.keep(
        await at.accounts.acceptInvitation(browser.visitor, { token: tokenOf(link), password: NEW_PASSWORD }),
      );
      await flood(5);
      expect((await signIn(old, NEW_PASSWORD)).outcome).toBe('throttled');
      expect((await signIn(browser, NEW_PASSWORD)).outcome).toBe('signed_in');
    });

    it('holds for the accounts that signed in on it, and no other', async () => {
      const browser = await at.user();
      await at.user({ email: 'bob@example.com' });
      browser.keep(await signIn(browser, PASSWORD, 'bob@example.com'));
      await at.user({ email: 'eve@example.com' });
      await flood(5);
      expect((await signIn(browser)).outcome).toBe('signed_in');
      for (let n = 0; n < 50; n++) await outcomeFrom(`203.0.114.${n % 5}`, WRONG, 'eve@example.com');
      expect((await signIn(browser, PASSWORD, 'eve@example.com')).outcome).toBe('throttled');
    });

    it('the cookie of a device is ignored if it is forged', async () => {
      const browser = await at.user();
      await flood(5);
      const { cookies = '' } = browser.visitor;
      for (const forged of [
        cookies.replace('device=', 'device=x'),
        cookies.replace(/device=[^;]*/, (pair) => `${pair.slice(0, 40)}${pair.slice(41)}`),
        cookies.replace('session_token=', 'device='),
      ]) {
        const visitor = { cookies: forged, clientAddress: '198.51.100.7' };
        expect((await at.accounts.signIn(visitor, { email: EMAIL, password: PASSWORD })).outcome).toBe(
          'throttled',
        );
      }
      for (const email of ['', 'x\u0000@example.com', '\ud800']) {
        const odd = await at.accounts.signIn(browser.visitor, { email, password: PASSWORD });
        expect(odd.outcome).toBe('refused');
      }
    });
  });
});
