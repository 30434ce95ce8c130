// Signs with keys of its own in each case, on each kind of database.
import { generateKeyPairSync } from 'node:crypto';
import { PASSKEYS_MAX, type PasskeyPurpose, SIGN_IN_LIMITS } from '@countersign/domain/staff';
import { describe, expect, it } from 'vitest';
import { addSecondFactor, givenAccounts, PASSWORD } from '../../test-support/accounts.ts';
import { type Authenticator, type Deviation, newAuthenticator } from '../../test-support/authenticator.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { relyingPartyOf } from './relying-party.ts';

/** Returns a new browser with the current cookies of another one. */
function copyOf({ visitor }: Browser): Browser {
  const copy = newBrowser();
  copy.keep({ setCookies: (visitor.cookies ?? '').split('; ') });
  return copy;
}

const EMAIL = 'ann@example.com';
const MINUTE = 60_000;

describe('relying party', () => {
  it.each([
    ['https://verify.example/kyc', 'verify.example'],
    ['http://localhost:3000', 'localhost'],
    ['http://kyc.localhost:3000', 'kyc.localhost'],
    ['http://localhost.example', undefined],
    ['http://verify.example', undefined],
    ['http://127.0.0.1:3000', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[2001:db8::1]', undefined],
  ])('%s: passkeys of %s', (address, id) => {
    expect(relyingPartyOf(address)?.id).toBe(id);
  });
});

onEveryDatabase('passkeys', (at) => {
  function port() {
    const { passkeys } = at.accounts;
    if (passkeys === undefined) throw new Error('there are no passkeys');
    return passkeys;
  }

  async function withSecondFactor(email = EMAIL): Promise<Browser> {
    const browser = await at.user({ email });
    await addSecondFactor(at, browser);
    return browser;
  }

  async function add(browser: Browser, device: Authenticator, email = EMAIL, deviation: Deviation = {}) {
    const user = await at.accounts.findByEmail(email);
    if (user === null) throw new Error('user not found');
    const { options } = browser.keep(await port().beginAdding(browser.visitor, user));
    const response = device.create(options, deviation);
    return port().finishAdding(browser.visitor, { user, name: 'Laptop', response });
  }

  /** A user with a passkey. */
  async function withPasskey(email = EMAIL) {
    const browser = await withSecondFactor(email);
    const device = newAuthenticator();
    expect((await add(browser, device, email)).outcome).toBe('added');
    return { browser, device, userId: await at.idOf(email) };
  }

  async function finish(
    browser: Browser,
    device: Authenticator,
    deviation: Deviation = {},
    purpose: PasskeyPurpose = 'sign_in',
  ) {
    const begun = await port().begin(browser.visitor, purpose);
    if (begun === null) throw new Error('nothing to begin');
    browser.keep(begun);
    return port().finish(browser.visitor, { purpose, response: device.get(begun.options, deviation) });
  }

  async function enter(browser: Browser, device: Authenticator, purpose: PasskeyPurpose = 'sign_in') {
    const verified = await finish(browser, device, {}, purpose);
    if (verified.outcome !== 'verified') throw new Error(JSON.stringify(verified));
    return browser.keep(await port().startSession(browser.visitor, verified));
  }

  /** A browser in which the password was right. */
  async function challenged(email = EMAIL): Promise<Browser> {
    const browser = newBrowser('192.0.2.44');
    const answer = await at.accounts.signIn(browser.visitor, { email, password: PASSWORD });
    expect(browser.keep(answer).outcome).toBe('second_factor_needed');
    return browser;
  }

  it('a passkey signs in with two factors, and shows when it was last used', async () => {
    const { device, userId } = await withPasskey();
    expect(await port().list(userId)).toMatchObject([{ name: 'Laptop', usedAt: null }]);
    const browser = newBrowser();
    expect((await enter(browser, device)).outcome).toBe('signed_in');
    expect(await at.accounts.identify(browser.visitor.cookies)).toMatchObject({
      user: { id: userId },
      withSecondFactor: true,
    });
    expect(await port().list(userId)).toMatchObject([{ usedAt: at.clock.now() }]);
  });

  it('after the password, a passkey replaces the code and ends the pending sign-in', async () => {
    const { device, userId } = await withPasskey();
    const browser = await challenged();
    const copy = copyOf(browser);
    expect((await enter(browser, device, 'second_factor')).outcome).toBe('signed_in');
    expect((await at.accounts.identify(browser.visitor.cookies))?.user.id).toBe(userId);
    expect(await port().begin(copy.visitor, 'second_factor')).toBeNull();
    expect(await port().begin(newBrowser().visitor, 'second_factor')).toBeNull();
  });

  const { privateKey: otherKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = Buffer.from('another user').toString('base64url');
  it.each<[what: string, deviation: Deviation, check: string]>([
    ['wrong origin', { origin: 'https://verify.example.evil.example' }, 'response'],
    ['origin without TLS', { origin: 'http://verify.example' }, 'response'],
    ['wrong relying party', { rpId: 'evil.example' }, 'response'],
    ['forged challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }, 'response'],
    ['another key', { key: otherKey }, 'response'],
    ['no user verification', { verifiesUser: false }, 'response'],
    ['another user handle', { userHandle: other }, 'passkey'],
    ['counter that stays', { counter: 7 }, 'counter'],
    ['counter that goes back', { counter: 6 }, 'counter'],
    ['counter of zero', { counter: 0 }, 'counter'],
  ])('sign-in, %s: refused', async (_, deviation, check) => {
    const { device } = await withPasskey();
    const first = await finish(newBrowser(), device, { counter: 7 });
    if (first.outcome !== 'verified') throw new Error(first.outcome);
    await port().startSession(newBrowser().visitor, first);
    expect(await finish(newBrowser(), device, { counter: 8, ...deviation })).toMatchObject({
      outcome: 'refused',
      check,
    });
  });

  it.each<[what: string, deviation: Deviation]>([
    ['wrong origin', { origin: 'https://evil.example' }],
    ['wrong relying party', { rpId: 'evil.example' }],
    ['forged challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['no user verification', { verifiesUser: false }],
  ])('adding, %s: refused', async (_, deviation) => {
    const browser = await withSecondFactor();
    expect(await add(browser, newAuthenticator(), EMAIL, deviation)).toMatchObject({ check: 'response' });
    expect(await port().list(await at.idOf(EMAIL))).toEqual([]);
  });

  it('a passkey is added once, only in the session of the user who began', async () => {
    const [ann, bob] = [await withSecondFactor(), await withSecondFactor('bob@example.com')];
    const [user, other] = [await at.accounts.findByEmail(EMAIL), await at.accounts.findByEmail('bob@example.com')];
    if (user === null || other === null) throw new Error('user not found');
    const device = newAuthenticator();
    const begin = async () => {
      const begun = await port().beginAdding(ann.visitor, user);
      ann.keep(begun);
      return { begun, answer: { user, name: 'Laptop', response: device.create(begun.options) } };
    };

    const signedOut = newBrowser();
    const first = await begin();
    signedOut.keep(first.begun);
    expect(await port().finishAdding(signedOut.visitor, first.answer)).toMatchObject({ check: 'request', user });

    const second = await begin();
    bob.keep(second.begun);
    expect(await port().finishAdding(bob.visitor, { ...second.answer, user: other })).toMatchObject({
      check: 'request',
      user: other,
    });

    const { answer } = await begin();
    expect(await port().finishAdding(ann.visitor, answer)).toMatchObject({
      outcome: 'added',
      setCookies: [expect.stringContaining('passkey=; Max-Age=0;')],
    });
    expect(await port().finishAdding(ann.visitor, answer)).toMatchObject({ check: 'replayed' });
  });

  it('the second factor: a user without passkeys is offered none', async () => {
    await withSecondFactor();
    expect(await port().begin((await challenged()).visitor, 'second_factor')).toBeNull();
  });

  it('a pending sign-in restricts the second factor, but not a sign-in by passkey, to the passkeys of its user', async () => {
    await withPasskey();
    const { visitor } = await challenged();
    const allowedFor = async (purpose: PasskeyPurpose) => {
      const begun = await port().begin(visitor, purpose);
      return (JSON.parse(begun?.options ?? '{}') as { allowCredentials?: unknown[] }).allowCredentials?.length;
    };
    expect(await allowedFor('second_factor')).toBe(1);
    expect(await allowedFor('sign_in')).toBe(0);
  });

  it('the second factor: a response is refused once the pending sign-in has ended, or another has begun', async () => {
    const { device } = await withPasskey();
    await withSecondFactor('bob@example.com');
    const begin = async () => {
      const browser = await challenged();
      const begun = await port().begin(browser.visitor, 'second_factor');
      if (begun === null) throw new Error('nothing to begin');
      browser.keep(begun);
      return { browser, answer: { purpose: 'second_factor' as const, response: device.get(begun.options) } };
    };

    const ended = await begin();
    const before = copyOf(ended.browser);
    const verified = await port().finish(ended.browser.visitor, ended.answer);
    if (verified.outcome !== 'verified') throw new Error(verified.outcome);
    // The session of a verified passkey begins only in the browser of its pending sign-in.
    expect(await port().startSession(newBrowser().visitor, verified)).toEqual({ outcome: 'refused' });
    // Another tab signs in with another response.
    expect((await enter(before, device, 'second_factor')).outcome).toBe('signed_in');
    expect(await port().startSession(ended.browser.visitor, verified)).toEqual({ outcome: 'refused' });

    const late = await begin();
    expect((await enter(copyOf(late.browser), device, 'second_factor')).outcome).toBe('signed_in');
    expect(await port().finish(late.browser.visitor, late.answer)).toMatchObject({ check: 'request' });

    const replaced = await begin();
    const bob = { email: 'bob@example.com', password: PASSWORD };
    replaced.browser.keep(await at.accounts.signIn(replaced.browser.visitor, bob));
    expect(await port().finish(replaced.browser.visitor, replaced.answer)).toMatchObject({ check: 'request' });
  });

  it('a sign-in by passkey ends the session that the browser had', async () => {
    const { browser, device } = await withPasskey();
    const copy = copyOf(browser);
    expect((await enter(browser, device)).outcome).toBe('signed_in');
    expect(await at.accounts.identify(browser.visitor.cookies)).not.toBeNull();
    expect(await at.accounts.identify(copy.visitor.cookies)).toBeNull();
  });

  it('a response without a user handle is verified', async () => {
    const { device } = await withPasskey();
    expect((await finish(newBrowser(), device, { userHandle: null })).outcome).toBe('verified');
  });

  it('an authenticator that counts no signatures signs in again and again', async () => {
    const browser = await withSecondFactor();
    const device = newAuthenticator();
    expect((await add(browser, device, EMAIL, { counter: 0 })).outcome).toBe('added');
    for (let time = 0; time < 2; time += 1) {
      const verified = await finish(newBrowser(), device, { counter: 0 });
      if (verified.outcome !== 'verified') throw new Error(verified.outcome);
      expect((await port().startSession(newBrowser().visitor, verified)).outcome).toBe('signed_in');
    }
  });

  it('an answer is accepted once, in the browser of its challenge, for its purpose, for five minutes', async () => {
    const { device } = await withPasskey();
    const browser = newBrowser();
    const begin = async () => {
      const begun = await port().begin(browser.visitor, 'sign_in');
      if (begun === null) throw new Error('nothing to begin');
      browser.keep(begun);
      return { purpose: 'sign_in' as const, response: device.get(begun.options) };
    };
    const answer = await begin();
    expect(await port().finish(newBrowser().visitor, answer)).toMatchObject({ check: 'request' });
    expect(await port().finish(browser.visitor, { ...answer, purpose: 'second_factor' })).toMatchObject({
      check: 'request',
    });
    expect((await port().finish(browser.visitor, answer)).outcome).toBe('verified');
    expect(await port().finish(browser.visitor, answer)).toMatchObject({ check: 'replayed' });
    const late = await begin();
    at.clock.advance(5 * MINUTE);
    expect(await port().finish(browser.visitor, late)).toMatchObject({ check: 'request' });
  });

  it.each(['', 'null', '[]', '{', '{"id":1}', '{"id":"a\\u0000"}', '{"id":"unknown"}'])(
    'answer %j: refused without a fault',
    async (response) => {
      await withPasskey();
      const browser = newBrowser();
      const begun = await port().begin(browser.visitor, 'sign_in');
      browser.keep(begun ?? {});
      expect((await port().finish(browser.visitor, { purpose: 'sign_in', response })).outcome).toBe('refused');
    },
  );

  it("another of the service's cookies is no challenge", async () => {
    const { browser, device } = await withPasskey();
    const begun = await port().begin(newBrowser().visitor, 'sign_in');
    const [, session = ''] = /session_token=([^;]+)/.exec(browser.visitor.cookies ?? '') ?? [];
    const visitor = { cookies: `__Secure-countersign.passkey=${session}`, clientAddress: '192.0.2.9' };
    const response = device.get(begun?.options ?? '');
    expect(await port().finish(visitor, { purpose: 'sign_in', response })).toMatchObject({ check: 'request' });
  });

  it("another user's passkey is refused as second factor, and cannot be added twice or removed by others", async () => {
    const ann = await withPasskey();
    const bob = await withPasskey('bob@example.com');
    expect(await finish(await challenged(), bob.device, {}, 'second_factor')).toMatchObject({
      outcome: 'refused',
      check: 'passkey',
    });
    expect(await add(bob.browser, ann.device, 'bob@example.com')).toMatchObject({ check: 'passkey' });
    const [passkey] = await port().list(ann.userId);
    expect(await port().remove(bob.userId, passkey?.id ?? '')).toBe(false);
    expect(await port().remove(ann.userId, passkey?.id ?? '')).toBe(true);
    expect(await finish(newBrowser(), ann.device)).toMatchObject({ check: 'passkey' });
  });

  it('of two sessions with one counter, one begins', async () => {
    const { device } = await withPasskey();
    const verified = await finish(newBrowser(), device);
    if (verified.outcome !== 'verified') throw new Error(verified.outcome);
    const outcomes = await Promise.all([1, 2].map(() => port().startSession(newBrowser().visitor, verified)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['refused', 'signed_in']);
  });

  it('a user has at most ten, and none without a second factor', async () => {
    const browser = await at.user();
    expect(await add(browser, newAuthenticator())).toMatchObject({ outcome: 'refused' });
    const { browser: bob } = await withPasskey('bob@example.com');
    for (let count = 1; count < PASSKEYS_MAX; count += 1) {
      expect((await add(bob, newAuthenticator(), 'bob@example.com')).outcome).toBe('added');
    }
    expect((await add(bob, newAuthenticator(), 'bob@example.com')).outcome).toBe('too_many');
  });

  it.each<[what: string, end: (userId: string, browser: Browser) => Promise<unknown>]>([
    ['reset by an operator', (userId) => at.accounts.resetSecondFactor(userId)],
    ['removal of the second factor', (_, { visitor }) => at.accounts.removeSecondFactor(visitor, PASSWORD)],
    ['withdrawal by a provider', (userId) => at.accounts.identities.withdraw(userId)],
    ['removal of the user', (userId) => at.accounts.remove(userId, { keepOwner: true })],
    [
      'password reset, by a mailed link',
      async (userId) => {
        const mark = (await at.accounts.findRecipient(userId))?.passwordMark ?? null;
        const input = { userId, mark, password: 'purple harbour 9 lantern' };
        const { outcome } = await at.accounts.replacePassword(newBrowser().visitor, input);
        expect(outcome).toBe('second_factor_needed');
      },
    ],
    [
      'lost device, by a mailed link',
      async (userId) => {
        const mark = (await at.accounts.findRecipient(userId))?.secondFactor?.mark ?? '';
        const input = { userId, mark, password: PASSWORD };
        const { outcome } = await at.accounts.removeLostFactor(newBrowser().visitor, input);
        expect(outcome).toBe('removed');
      },
    ],
  ])('%s: passkeys end, also for an answer that was verified before', async (_, end) => {
    const { browser, device, userId } = await withPasskey();
    const verified = await finish(newBrowser(), device);
    if (verified.outcome !== 'verified') throw new Error(verified.outcome);
    await end(userId, browser);
    expect(await port().list(userId)).toEqual([]);
    expect((await port().startSession(newBrowser().visitor, verified)).outcome).toBe('refused');
    expect(await finish(newBrowser(), device)).toMatchObject({ check: 'passkey' });
  });

  it('wrong answers are limited as wrong passwords and codes are', async () => {
    const { device } = await withPasskey();
    const outcomes: string[] = [];
    for (let time = 0; time <= 30; time += 1) {
      outcomes.push((await finish(newBrowser('192.0.2.70'), newAuthenticator())).outcome);
    }
    expect(new Set(outcomes.slice(0, 30))).toEqual(new Set(['refused']));
    expect(outcomes[30]).toBe('throttled');
    expect((await finish(newBrowser('192.0.2.70'), device)).outcome).toBe('throttled');
    expect((await finish(newBrowser('198.51.100.1'), device)).outcome).toBe('verified');
  });

  it('the second factor: wrong responses are limited per user across browsers', async () => {
    const { device } = await withPasskey();
    const wrongDevice = newAuthenticator();
    const browser = await challenged();
    const outcomes: string[] = [];
    for (let time = 0; time <= SIGN_IN_LIMITS.codes.requests; time += 1) {
      const copy = copyOf(browser);
      outcomes.push((await finish(copy, wrongDevice, {}, 'second_factor')).outcome);
    }
    expect(outcomes.filter((outcome) => outcome === 'throttled')).toHaveLength(1);
    expect((await finish(browser, device, {}, 'second_factor')).outcome).toBe('throttled');
  });

  it('a service without a domain offers none', async () => {
    const { accounts } = await givenAccounts(at.database, { publicBaseUrl: 'http://192.0.2.1' });
    expect(accounts.passkeys).toBeUndefined();
    await accounts.close();
  });
});
