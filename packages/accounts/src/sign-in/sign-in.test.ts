import { expect, it } from 'vitest';
import { givenAccounts, KEY, PASSWORD } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EMAIL = 'ann@example.com';

onEveryDatabase('sign-in and sessions', (at) => {
  it('sign-in: a password begins a session, which ends with the sign-out', async () => {
    await at.user({ email: 'Ann@Example.com ' });
    const browser = newBrowser();

    const answer = browser.keep(
      await at.accounts.signIn(browser.visitor, { email: 'ANN@example.com', password: PASSWORD }),
    );

    expect(answer.outcome).toBe('signed_in');
    const { cookies } = browser.visitor;
    expect(await at.accounts.identify(cookies)).toEqual({
      user: {
        id: expect.any(String),
        email: EMAIL,
        name: 'Ann Reviewer',
        role: 'reviewer',
        clientId: null,
        teamRole: null,
      },
      signedInAt: at.clock.now(),
      withSecondFactor: false,
      confirmedAt: null,
    });
    browser.keep(await at.accounts.signOut(browser.visitor));
    // The device stays known.
    expect(browser.visitor.cookies).toMatch(/^__Secure-countersign\.device=[^;]+$/);
    expect(await at.accounts.identify(cookies)).toBeNull();
  });

  it('sign-in: a wrong password and an unknown e-mail get the same refusal after the same number of hashes', async () => {
    await at.user();
    const before = at.hashed.times;
    const browser = newBrowser();
    const wrong = await at.accounts.signIn(browser.visitor, { email: EMAIL, password: 'wrong password 1' });
    const forWrong = at.hashed.times - before;
    const unknown = await at.accounts.signIn(browser.visitor, {
      email: 'bob@example.com',
      password: PASSWORD,
    });
    const forUnknown = at.hashed.times - before - forWrong;
    const invited = await at.accounts.create({ email: 'new@example.com', role: 'operator' });
    expect(invited.outcome).toBe('created');
    const without = await at.accounts.signIn(browser.visitor, {
      email: 'new@example.com',
      password: PASSWORD,
    });
    const forWithout = at.hashed.times - before - forWrong - forUnknown;

    expect([wrong, unknown, without]).toEqual(Array.from({ length: 3 }, () => ({ outcome: 'refused' })));
    expect([forWrong, forUnknown, forWithout]).toEqual([1, 1, 1]);
  });

  it.each(['', 'not an e-mail', 'a@b', "x' or 1=1 --@example.com", 'é@example.com\u0000'])(
    'sign-in: refuses %j as an e-mail',
    async (email) => {
      const answer = await at.accounts.signIn(newBrowser().visitor, { email, password: 'x'.repeat(200) });
      expect(answer).toEqual({ outcome: 'refused' });
    },
  );

  it('sign-in: begins a new session and ends the earlier one of the browser', async () => {
    const browser = await at.user();
    const before = browser.visitor.cookies;
    await at.signIn(browser);
    expect(browser.visitor.cookies).not.toBe(before);
    expect(await at.accounts.identify(before)).toBeNull();
    expect(await at.accounts.identify(browser.visitor.cookies)).not.toBeNull();
  });

  it('sign-in: cookies are HttpOnly and limited to this host and path', async () => {
    const browser = await at.user();
    const attributes = browser.attributesOf('session_token').toLowerCase().split('; ').sort();
    expect(attributes).toEqual(['httponly', 'max-age=43200', 'path=/kyc', 'samesite=lax', 'secure']);
    expect(browser.visitor.cookies).toMatch(/^__Secure-countersign\.session_token=/);
  });

  it('session: ends after one hour without use, and after twelve hours in any case', async () => {
    const browser = await at.user();
    const isSignedIn = async () => (await at.accounts.identify(browser.visitor.cookies)) !== null;
    for (let minutes = 0; minutes < 11 * 60 + 50; minutes += 50) {
      at.clock.advance(50 * MINUTE);
      expect(await isSignedIn()).toBe(minutes + 50 < 12 * 60);
    }
    at.clock.advance(10 * MINUTE);
    expect(await isSignedIn()).toBe(false);

    const idle = newBrowser();
    await at.signIn(idle);
    at.clock.advance(HOUR + 1);
    expect(await at.accounts.identify(idle.visitor.cookies)).toBeNull();
  });

  it('session: an invented or changed cookie, or one signed by another key, is refused', async () => {
    const browser = await at.user();
    const cookies = browser.visitor.cookies ?? '';
    const [name, value = ''] = cookies.split('=');
    const other = await givenAccounts(at.database, { secretKeys: [Buffer.alloc(32, 8)] });
    expect(await other.accounts.identify(cookies)).toBeNull();
    await other.accounts.close();
    for (const bad of [
      undefined,
      '',
      `${name}=`,
      `${name}=x`,
      `${name}=x.y`,
      `${name}=%E0%A4%A`,
      `${name}=a${value}`,
    ]) {
      expect(await at.accounts.identify(bad)).toBeNull();
    }
    expect(await at.accounts.identify(`other=1; ${name}=x.y; ${cookies}`)).not.toBeNull();
  });

  it('session: continues through a rotation of the keys', async () => {
    const browser = await at.user();
    const rotated = await givenAccounts(at.database, { secretKeys: [Buffer.alloc(32, 8), KEY] });
    expect(await rotated.accounts.identify(browser.visitor.cookies)).not.toBeNull();
    await rotated.accounts.signOut(browser.visitor);
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    await rotated.accounts.close();
  });
});
