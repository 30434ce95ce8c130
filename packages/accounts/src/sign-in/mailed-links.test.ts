// Each case has accounts of its own, on each kind of database.
import { expect, it } from 'vitest';
import {
  addSecondFactor,
  beginSecondFactor,
  KEY,
  PASSWORD,
  quickPasswords,
  tokenOf,
} from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { codeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { resealSecondFactors } from '../second-factor/reseal.ts';

const EMAIL = 'ann@example.com';
const NEW = 'granite umbrella 4 lemur';
const key = { issuer: 'https://login.example', subject: 'ann' };
const other = { issuer: 'https://other.example', subject: 'ann' };
const REFUSED = { outcome: 'refused' };
const HOUR_MS = 60 * 60 * 1_000;

onEveryDatabase('mailed links', (at) => {
  /** A user who has joined, and what a mail needs to know about them. */
  async function joined() {
    const browser = await at.user();
    const userId = await at.idOf(EMAIL);
    return { browser, userId, ...(await recipientOf(userId)) };
  }

  /** Creates a user at the provider of `key`. Returns the id. */
  async function provisioned({ emailVerified = true } = {}): Promise<string> {
    const input = { email: EMAIL, role: 'operator' } as const;
    const made = await at.accounts.identities.provision(input, key, { emailVerified });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    return made.user.id;
  }

  async function recipientOf(userId: string) {
    const recipient = await at.accounts.findRecipient(userId);
    if (recipient === null) throw new Error('not found');
    return { recipient, mark: recipient.passwordMark, factor: recipient.secondFactor?.mark ?? null };
  }

  async function withSecondFactor() {
    const { browser, userId } = await joined();
    const begun = await beginSecondFactor(at.accounts, browser);
    expect((await recipientOf(userId)).factor).toBeNull();
    browser.keep(await at.accounts.confirmSecondFactor(browser.visitor, codeOf(begun.secret, at.clock.now())));
    const { factor } = await recipientOf(userId);
    if (factor === null) throw new Error('no second factor');
    return { browser, userId, factor };
  }

  const replace = (userId: string, mark: string | null, password = NEW, visitor = newBrowser().visitor) =>
    at.accounts.replacePassword(visitor, { userId, mark, password });
  const signIn = (password: string) =>
    at.accounts.signIn(newBrowser('192.0.2.9').visitor, { email: EMAIL, password });

  it('a recipient has no password before joining, and another mark with each password', async () => {
    const { accounts, clock } = at;
    const made = await accounts.create({ email: EMAIL, role: 'reviewer' }, { locale: 'de' });
    const { id } = made.user;
    expect(await accounts.findRecipient(id)).toEqual({
      user: made.user,
      locale: 'de',
      hasUnverifiedEmail: false,
      passwordMark: null,
      passwordSetAt: null,
      secondFactor: null,
    });
    await accounts.acceptInvitation(newBrowser().visitor, { token: tokenOf(made), password: PASSWORD });
    const first = await recipientOf(id);
    expect(first.recipient.passwordSetAt).toEqual(clock.now());
    clock.advance(HOUR_MS);
    expect((await replace(id, first.mark)).outcome).toBe('signed_in');
    const second = await recipientOf(id);
    expect(second.mark).not.toBe(first.mark);
    expect(second.recipient.passwordSetAt).toEqual(clock.now());
    expect(`${first.mark}${second.mark}`).not.toContain(await quickPasswords.hash(PASSWORD));
    for (const unknown of ['', 'unknown', '\u0000', '\ud800'])
      expect(await accounts.findRecipient(unknown)).toBeNull();
  });

  it('a user whose access the provider withdrew sets no password, by a link made before or after, unless an operator allows it', async () => {
    const { accounts } = at;
    const id = await provisioned();
    const { mark: before } = await recipientOf(id);
    await accounts.identities.withdraw(id);
    const { mark: after } = await recipientOf(id);

    expect(after).not.toBe(before);
    expect(await replace(id, before)).toMatchObject(REFUSED);
    expect(await replace(id, after)).toMatchObject(REFUSED);
    expect(await signIn(NEW)).toMatchObject(REFUSED);

    await accounts.identities.allowPassword(id, HOUR_MS);
    expect(await replace(id, before)).toMatchObject(REFUSED);
    expect((await replace(id, after)).outcome).toBe('signed_in');
  });

  it('a used link sets no password after the providers of its user were disconnected', async () => {
    const { accounts } = at;
    const { user } = await accounts.create({ email: EMAIL, role: 'reviewer' });
    expect(await accounts.identities.connect(user.id, key, { kind: 'mark', mark: null })).toEqual({
      outcome: 'connected',
    });
    const { mark: connected } = await recipientOf(user.id);
    await accounts.identities.disconnect(user.id);

    const { mark, recipient } = await recipientOf(user.id);
    expect(recipient.passwordSetAt).toBeNull();
    for (const earlier of [null, connected]) expect(await replace(user.id, earlier)).toEqual(REFUSED);
    expect((await replace(user.id, mark)).outcome).toBe('signed_in');
  });

  it('a used link sets no password after the provider that it connected was disconnected, or the password ended', async () => {
    const { identities } = at.accounts;
    const id = await provisioned();

    const { mark: first } = await recipientOf(id);
    for (const connected of [other, key]) {
      const { mark } = await recipientOf(id);
      const proof = { kind: 'mark', mark } as const;
      expect(await identities.connect(id, connected, proof)).toEqual({ outcome: 'connected' });
      expect(await replace(id, mark)).toEqual(REFUSED);
    }
    const accepted = { passwords: true, issuers: [key.issuer] };
    expect(await identities.disconnectOne(id, other.issuer, accepted)).toEqual({ outcome: 'disconnected' });
    expect(await replace(id, first)).toEqual(REFUSED);

    const { mark: used } = await recipientOf(id);
    expect((await replace(id, used)).outcome).toBe('signed_in');
    await identities.recordUse({ userId: id, key, withdrawnAt: null, endPassword: true });
    expect(await replace(id, used)).toEqual(REFUSED);
  });

  it('a link from before an identity was connected in the session stays ended when it is disconnected', async () => {
    const { identities } = at.accounts;
    const id = await provisioned();
    const { mark } = await recipientOf(id);
    await identities.connect(id, other, { kind: 'session' });
    await identities.disconnectOne(id, other.issuer, { passwords: true, issuers: [key.issuer] });
    expect(await replace(id, mark)).toEqual(REFUSED);
  });

  it('a link from before access was withdrawn does not work when it is given back', async () => {
    const { identities } = at.accounts;
    const userId = await provisioned();
    const { mark: before } = await recipientOf(userId);
    await identities.withdraw(userId);
    const { withdrawnAt = null } = (await identities.find(key)) ?? {};
    await identities.recordUse({ userId, key, withdrawnAt, endPassword: false });

    expect(await replace(userId, before)).toEqual(REFUSED);
    expect((await replace(userId, (await recipientOf(userId)).mark)).outcome).toBe('signed_in');
  });

  it('an address that the provider did not verify is unverified until a link is made for the user', async () => {
    const { accounts } = at;
    const id = await provisioned({ emailVerified: false });
    expect((await recipientOf(id)).recipient.hasUnverifiedEmail).toBe(true);
    await accounts.identities.allowPassword(id, HOUR_MS);
    await accounts.keepLocale(id, 'de');
    expect((await recipientOf(id)).recipient.hasUnverifiedEmail).toBe(true);
    await accounts.invite(id);
    expect((await recipientOf(id)).recipient.hasUnverifiedEmail).toBe(false);
  });

  it('the language is kept, and changes nothing of others', async () => {
    const { userId } = await joined();
    await at.user({ email: 'bob@example.com' });
    await at.accounts.keepLocale(userId, 'de');
    await at.accounts.keepLocale(userId, 'en');
    await at.accounts.keepLocale('\u0000', 'fr');
    expect((await recipientOf(userId)).recipient.locale).toBe('en');
    expect((await recipientOf(await at.idOf('bob@example.com'))).recipient.locale).toBeNull();
  });

  it('a new password ends every session, pending sign-in and one-time link, and signs in', async () => {
    const { browser, userId, mark } = await joined();
    const link = await at.accounts.invite(userId);
    if (link === null) throw new Error('not found');
    const own = newBrowser();
    const outcome = own.keep(await replace(userId, mark, NEW, own.visitor));
    expect(outcome.outcome).toBe('signed_in');
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    expect((await at.accounts.identify(own.visitor.cookies))?.user.id).toBe(userId);
    expect(await at.accounts.invitationOf(tokenOf(link))).toBeNull();
    expect(await signIn(PASSWORD)).toEqual(REFUSED);
    expect((await signIn(NEW)).outcome).toBe('signed_in');
    expect(await replace(userId, mark)).toEqual(REFUSED);
  });

  it('a first password is set once', async () => {
    const made = await at.accounts.create({ email: EMAIL, role: 'reviewer' });
    const { id } = made.user;
    expect(await replace(id, 'a mark')).toEqual(REFUSED);
    expect((await replace(id, null, PASSWORD)).outcome).toBe('signed_in');
    expect(await replace(id, null)).toEqual(REFUSED);
    expect((await at.accounts.list())[0]).toMatchObject({ hasJoined: true, invitedUntil: null });
  });

  it('a password made of the e-mail, or of the name of the client, is refused', async () => {
    // cspell:ignore zwirbelknauf zwirbelpnauf quadrilomp
    const made = await at.accounts.create({ email: 'zwirbelknauf@example.com', role: 'reviewer' });
    const set = (password: string) =>
      at.accounts.replacePassword(newBrowser().visitor, {
        userId: made.user.id,
        mark: null,
        password,
        clientName: 'Quadrilomp',
      });
    const refused = { outcome: 'password_refused', reason: 'too_common' };
    expect(await set('zwirbelknauf1')).toEqual(refused);
    expect(await set('Quadrilomp12')).toEqual(refused);
    expect((await set('zwirbelpnauf1')).outcome).toBe('signed_in');
  });

  it('passwords that are set count as no wrong links', async () => {
    const { userId } = await joined();
    for (let n = 0; n < 101; n++) {
      const { mark } = await recipientOf(userId);
      expect((await replace(userId, mark)).outcome).toBe('signed_in');
    }
  });

  it('of several uses of a link at once, one sets the password', async () => {
    const { userId, mark } = await joined();
    const passwords = Array.from({ length: 6 }, (_, index) => `granite umbrella ${index} lemur`);
    const outcomes = await Promise.all(passwords.map((password) => replace(userId, mark, password)));
    const isSet = outcomes.map(({ outcome }) => outcome === 'signed_in');
    expect(isSet.filter(Boolean)).toHaveLength(1);
    expect((await signIn(passwords[isSet.indexOf(true)] ?? '')).outcome).toBe('signed_in');
  });

  it('a bad password does not use the link up; a removed user has none', async () => {
    const { userId, mark } = await joined();
    expect(await replace(userId, mark, 'short')).toEqual({ outcome: 'password_refused', reason: 'too_short' });
    expect(await replace(userId, mark, 'password1234')).toEqual({
      outcome: 'password_refused',
      reason: 'too_common',
    });
    expect((await signIn(PASSWORD)).outcome).toBe('signed_in');
    await at.accounts.remove(userId, { keepOwner: false });
    expect(await replace(userId, mark)).toEqual(REFUSED);
    expect(await at.accounts.findRecipient(userId)).toBeNull();
  });

  it('a new password leaves the second factor required', async () => {
    const { userId } = await withSecondFactor();
    const { mark } = await recipientOf(userId);
    expect((await replace(userId, mark)).outcome).toBe('second_factor_needed');
    expect((await recipientOf(userId)).factor).not.toBeNull();
  });

  it('a lost second factor is removed with the password, once, and ends every session', async () => {
    const { browser, userId, factor } = await withSecondFactor();
    const remove = (password: string, mark = factor) =>
      at.accounts.removeLostFactor(newBrowser('192.0.2.8').visitor, { userId, mark, password });
    expect(await remove('wrong password 1')).toEqual(REFUSED);
    expect(await remove(PASSWORD, 'another')).toEqual(REFUSED);
    expect(await at.accounts.identify(browser.visitor.cookies)).not.toBeNull();

    expect(await remove(PASSWORD)).toEqual({ outcome: 'removed' });
    expect(await at.accounts.identify(browser.visitor.cookies)).toBeNull();
    expect((await signIn(PASSWORD)).outcome).toBe('signed_in');
    expect(await remove(PASSWORD)).toEqual(REFUSED);
    expect((await recipientOf(userId)).factor).toBeNull();
    await at.accounts.remove(userId, { keepOwner: false });
    expect(await remove(PASSWORD)).toEqual(REFUSED);
  });

  it('a second factor that is set up again has another mark and the time of its confirmation', async () => {
    const { clock, accounts } = at;
    const { browser, userId, factor } = await withSecondFactor();
    expect((await recipientOf(userId)).recipient.secondFactor?.setAt).toEqual(clock.now());
    clock.advance(60_000);
    expect(await accounts.removeSecondFactor(browser.visitor, PASSWORD)).toEqual({ outcome: 'removed' });
    await addSecondFactor(at, browser);
    const again = await recipientOf(userId);
    expect(again.recipient.secondFactor?.setAt).toEqual(clock.now());
    expect(again.factor).not.toBe(factor);
  });

  it('a re-sealed second factor keeps its mark, so links to it go on working', async () => {
    const { userId, factor } = await withSecondFactor();
    const secretKeys = [Buffer.alloc(32, 8), KEY];
    expect(await resealSecondFactors({ database: at.database, secretKeys })).toEqual({ resealed: 1 });
    expect((await recipientOf(userId)).factor).toBe(factor);
  });

  it('guesses of the password with a link are counted as those of a sign-in', async () => {
    const { userId, factor } = await withSecondFactor();
    const remove = () =>
      at.accounts.removeLostFactor(newBrowser('192.0.2.8').visitor, {
        userId,
        mark: factor,
        password: 'wrong password 1',
      });
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await remove()).toEqual(REFUSED);
    expect(await remove()).toMatchObject({ outcome: 'throttled' });
  });

  it('requests are limited for an address, known or not, and for a network', async () => {
    const { accounts, clock } = at;
    await joined();
    const request = (email: string, address: string) =>
      accounts.countResetRequest(newBrowser(address).visitor, email);
    for (const email of [EMAIL, 'unknown@example.com']) {
      for (const n of [1, 2, 3]) expect(await request(email, `198.51.100.${n}`)).toBeNull();
      expect(await request(email.toUpperCase(), '198.51.100.4')).toMatchObject({ outcome: 'throttled' });
    }
    for (let n = 0; n < 20; n += 1) expect(await request(`user${n}@example.com`, '203.0.113.1')).toBeNull();
    expect(await request('another@example.com', '203.0.113.1')).toEqual({
      outcome: 'throttled',
      retryAfterSeconds: 3_600,
    });
    clock.advance(HOUR_MS);
    expect(await request(EMAIL, '203.0.113.1')).toBeNull();
  });
});
