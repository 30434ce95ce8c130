// Starts two identity providers and fresh accounts for each forged answer.
import { createHmac } from 'node:crypto';
import type { SingleSignOn } from '@countersign/domain/staff';
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Given, givenAccounts, KEY } from '../../test-support/accounts.ts';
import { type Browser, newBrowser } from '../../test-support/browser.ts';
import { type Databases, sqliteDatabases } from '../../test-support/databases.ts';
import {
  type AnswerToken,
  CLIENT_ID,
  type Exchange,
  type ForgingProvider,
  providerKeys,
  startForgingProvider,
} from '../../test-support/forging-provider.ts';
import { providerSettings } from '../../test-support/provider-settings.ts';
import { createCookieJar } from '../sessions/cookies.ts';
import { versionedSecrets } from '../sessions/secrets.ts';

const keysOfProvider = providerKeys();
const keysOfOther = providerKeys();

let databases: Databases;
let given: Given;
let provider: ForgingProvider;
let other: ForgingProvider;
let browser: Browser;
let nonce = '';

const settingsOf = (id: string, { issuer }: ForgingProvider) => providerSettings({ id, issuer });

beforeAll(async () => {
  databases = await sqliteDatabases();
});
afterAll(() => databases.close());

beforeEach(async () => {
  provider = await startForgingProvider(() => nonce, keysOfProvider);
  other = await startForgingProvider(() => nonce, keysOfOther);
  given = await givenAccounts(await databases.emptied(), {
    singleSignOn: {
      providers: [settingsOf('acme', provider), settingsOf('other', other)],
      passwordsOff: [],
      allowsLoopback: true,
    },
  });
  browser = newBrowser();
});

afterEach(async () => {
  await given.accounts.close();
  await provider.close();
  await other.close();
});

function sso(): SingleSignOn {
  if (given.accounts.singleSignOn === undefined) throw new Error('there is no single sign-on');
  return given.accounts.singleSignOn;
}

/** Begins a sign-in. Returns the state. */
async function begin(of: Browser = browser, kind: 'sign_in' | 'confirm' = 'sign_in'): Promise<string> {
  const begun = await sso().begin(of.visitor, { providerId: 'acme', purpose: { kind }, returnTo: '/review' });
  if (begun.outcome !== 'redirect') throw new Error(begun.outcome);
  of.keep(begun);
  const parameters = new URL(begun.location).searchParams;
  nonce = parameters.get('nonce') ?? '';
  return parameters.get('state') ?? '';
}

/** Sends an answer of a provider, with the cookies that the browser has. */
async function answer(query: Record<string, string>, { providerId = 'acme', of = browser } = {}): Promise<string> {
  const finished = await sso().finish(of.visitor, { providerId, query: new URLSearchParams(query).toString() });
  return finished.outcome === 'refused' ? finished.check : finished.outcome;
}

/** Begins a sign-in and answers it with this token. */
async function answerWith(token: AnswerToken, kind: 'sign_in' | 'confirm' = 'sign_in'): Promise<string> {
  provider.answer(token);
  const state = await begin(browser, kind);
  return answer({ code: 'code', state });
}

const changing =
  (change: (exchange: Exchange) => JWTPayload): AnswerToken =>
  (exchange) =>
    exchange.sign({ ...exchange.claims, ...change(exchange) });

const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const FORGED_TOKENS: Readonly<Record<string, AnswerToken>> = {
  'of another issuer': changing(() => ({ iss: 'https://evil.example' })),
  'of the issuer with a slash more': changing(({ issuer }) => ({ iss: `${issuer}/` })),
  'for another audience': changing(() => ({ aud: 'another-client' })),
  'for several audiences, issued to another of them': changing(() => ({ aud: [CLIENT_ID, 'b'], azp: 'b' })),
  'for several audiences, without azp': changing(() => ({ aud: [CLIENT_ID, 'b'] })),
  'with another nonce': changing(() => ({ nonce: 'another' })),
  'without a nonce': async ({ claims: { nonce: _, ...claims }, sign }) => sign(claims),
  'that has expired': changing(() => ({ iat: seconds(-600), exp: seconds(-300) })),
  'without an end': async ({ claims: { exp: _, ...claims }, sign }) => sign(claims),
  'that is not yet valid': changing(() => ({ nbf: seconds(300) })),
  'issued in the future': changing(() => ({ iat: seconds(300), exp: seconds(600) })),
  'without a subject': async ({ claims: { sub: _, ...claims }, sign }) => sign(claims),
  'with the hash of another access token': changing(() => ({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })),
  'with alg none': async ({ claims }) => `${part({ alg: 'none' })}.${part(claims)}.`,
  'without its signature': async ({ claims, sign }) => `${(await sign(claims)).split('.').slice(0, 2).join('.')}.`,
  'with changed claims under its signature': async ({ claims, sign }) => {
    const [header, , signature] = (await sign(claims)).split('.');
    return [header, part({ ...claims, sub: 'bob' }), signature].join('.');
  },
  'signed with the public key as a secret, HS256': async ({ claims, publicKey }) => {
    const content = `${part({ alg: 'HS256', kid: 'key-1' })}.${part(claims)}`;
    return `${content}.${createHmac('sha256', publicKey).update(content).digest('base64url')}`;
  },
  "signed with the client's secret, HS256": async ({ claims }) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('secret')),
  'signed by another key': async ({ claims }) => {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey);
  },
  'signed by an unknown key': async ({ claims }) => {
    const { privateKey } = await generateKeyPair('RS256');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'unknown' }).sign(privateKey);
  },
};

describe('single sign-on: a forged ID token', () => {
  it.each(Object.entries(FORGED_TOKENS))('%s is refused', async (_, token) => {
    expect(await answerWith(token)).toBe('token');
    expect(provider.codes).toEqual(['code']);
  });

  it('is one of twenty, and the genuine one is accepted', async () => {
    expect(Object.keys(FORGED_TOKENS)).toHaveLength(20);
    expect(await answerWith(({ sign, claims }) => sign(claims))).toBe('verified');
  });
});

/** The code of the fault about some of them. */
const CODES = {
  'of another issuer': 'ID_TOKEN_ISS',
  'for another audience': 'ID_TOKEN_AUD',
  'for several audiences, issued to another of them': 'ID_TOKEN_AZP',
  'with another nonce': 'ID_TOKEN_NONCE',
  'that has expired': 'ID_TOKEN_EXP',
  'that is not yet valid': 'ID_TOKEN_NBF',
  'issued in the future': 'ID_TOKEN_IAT',
  'with the hash of another access token': 'ID_TOKEN_AT_HASH',
  'with alg none': 'OAUTH_UNSUPPORTED_OPERATION',
  'with changed claims under its signature': 'ID_TOKEN_SIGNATURE',
  'signed by another key': 'ID_TOKEN_SIGNATURE',
};

describe('single sign-on: the fault about a forged ID token', () => {
  it.each(Object.entries(CODES))('%s: %s', async (what, code) => {
    provider.answer(FORGED_TOKENS[what] ?? (() => Promise.reject(new Error(what))));
    const state = await begin();
    const query = new URLSearchParams({ code: 'code', state }).toString();
    const finished = await sso().finish(browser.visitor, { providerId: 'acme', query });
    expect(finished).toMatchObject({ outcome: 'refused', check: 'token', cause: { code } });
  });
});

describe('single sign-on: an answer', () => {
  it.each([
    ['the code of a genuine ID token', { code: 'code' }],
    ['an error', { error: 'access_denied' }],
  ])('%s ends the request in the browser', async (_, given) => {
    const query = new URLSearchParams({ ...given, state: await begin() }).toString();
    browser.keep(await sso().finish(browser.visitor, { providerId: 'acme', query }));
    expect(browser.visitor.cookies).toBeUndefined();
  });

  it('without a state, or with that of another browser, is refused and its code is not used', async () => {
    const elsewhere = newBrowser();
    const foreign = await begin(elsewhere);
    expect(await answer({ code: 'code', state: foreign })).toBe('request');
    await begin();
    expect(await answer({ code: 'code' })).toBe('request');
    expect(await answer({ code: 'code', state: 'invented' })).toBe('request');
    expect(await answer({ code: 'code', state: foreign })).toBe('request');
    expect(provider.codes).toEqual([]);
  });

  it('is accepted once: with the same state, a second one is refused, even with another code', async () => {
    const state = await begin();
    expect(await answer({ code: 'one', state })).toBe('verified');
    expect(await answer({ code: 'one', state })).toBe('replayed');
    expect(await answer({ code: 'two', state })).toBe('replayed');
    expect(provider.codes).toEqual(['one']);
  });

  it('after ten minutes, or changed in the cookie, is refused', async () => {
    const late = await begin();
    given.clock.advance(10 * 60 * 1_000);
    expect(await answer({ code: 'code', state: late })).toBe('request');
    const state = await begin();
    const changed = newBrowser();
    const [name, value = ''] = (browser.visitor.cookies ?? '').split('=');
    changed.keep({ setCookies: [`${name}=${value.replace('acme', 'evil')}`] });
    expect(await answer({ code: 'code', state }, { of: changed })).toBe('request');
    expect(provider.codes).toEqual([]);
  });

  it("with another cookie's signed value, or one of another version, is refused", async () => {
    const cookies = createCookieJar('https://verify.example/kyc', versionedSecrets([KEY]));
    const { signOn, device, passkey } = cookies.names;
    const state = await begin();
    const request = decodeURIComponent((browser.visitor.cookies ?? '').split('=')[1] ?? '');
    const json = request.slice(0, request.lastIndexOf('.'));
    for (const line of [
      cookies.keep(device, 'device', 60).replace(device, signOn),
      cookies.keep(device, json, 60).replace(device, signOn),
      cookies.keep(passkey, json, 60).replace(passkey, signOn),
      cookies.keep(signOn, 'text', 60),
      cookies.keep(signOn, 'null', 60),
      cookies.keep(signOn, '{}', 60),
    ]) {
      const changed = newBrowser();
      changed.keep({ setCookies: [line] });
      expect(await answer({ code: 'code', state }, { of: changed })).toBe('request');
    }
    expect(await answer({ code: 'code', state })).toBe('verified');
  });

  it('of another provider is refused (mix-up), and so is one that names another issuer', async () => {
    const state = await begin();
    expect(await answer({ code: 'code', state }, { providerId: 'other' })).toBe('request');
    expect(await answer({ code: 'code', state, iss: other.issuer })).toBe('token');
    expect([...provider.codes, ...other.codes]).toEqual([]);
  });

  it('with an error of the provider, or with a code that it does not accept, is refused', async () => {
    expect(await answer({ error: 'access_denied', state: await begin() })).toBe('provider_error');
    const refuse: AnswerToken = async () => ({ body: { error: 'invalid_grant' }, status: 400 });
    expect(await answerWith(refuse)).toBe('code');
  });

  it('for a confirmation needs a fresh sign-in at the provider', async () => {
    expect(await answerWith(({ sign, claims }) => sign(claims), 'confirm')).toBe('token');
    expect(
      await answerWith(
        changing(() => ({ auth_time: seconds(-120) })),
        'confirm',
      ),
    ).toBe('token');
    expect(
      await answerWith(
        changing(() => ({ auth_time: seconds(0) })),
        'confirm',
      ),
    ).toBe('verified');
  });
});

describe('single sign-on: user info', () => {
  const factors = { acr: 'mfa', amr: ['hwk'], auth_time: 1 };
  const identityWith = async (token: AnswerToken) => {
    provider.answer(token);
    const state = await begin();
    const query = new URLSearchParams({ code: 'code', state }).toString();
    const finished = await sso().finish(browser.visitor, { providerId: 'acme', query });
    if (finished.outcome !== 'verified') throw new Error(finished.outcome);
    return finished.identity;
  };

  it('adds no claims about the sign-in, and verifies no address of the ID token', async () => {
    provider.userInfo({ email: 'kim@example.com', email_verified: true, name: 'Kim', ...factors });
    const identity = await identityWith(async ({ claims: { name: _, ...claims }, sign }) => sign(claims));
    expect(identity).toMatchObject({
      email: 'ann@example.com',
      emailVerified: false,
      name: 'Kim',
      acr: null,
      amr: [],
    });
    expect(identity.claims.auth_time).toBeUndefined();
  });

  it('verifies the address that it gives itself, whatever the ID token says', async () => {
    provider.userInfo({ email: 'kim@example.com' });
    const withoutEmail: AnswerToken = async ({ claims: { email: _, ...claims }, sign }) =>
      sign({ ...claims, ...factors, email_verified: true });
    expect(await identityWith(withoutEmail)).toMatchObject({
      email: 'kim@example.com',
      emailVerified: false,
      acr: 'mfa',
      amr: ['hwk'],
    });
    provider.userInfo({ email: 'kim@example.com', email_verified: true });
    expect(await identityWith(withoutEmail)).toMatchObject({ email: 'kim@example.com', emailVerified: true });
  });
});

describe('single sign-on: a provider', () => {
  it('receives the users who choose it', async () => {
    const chosen = { providerId: 'other', purpose: { kind: 'sign_in' }, returnTo: null } as const;
    const begun = await sso().begin(browser.visitor, chosen);
    if (begun.outcome !== 'redirect') throw new Error(begun.outcome);
    const { origin, searchParams } = new URL(begun.location);
    expect(origin).toBe(other.issuer);
    expect(searchParams.get('redirect_uri')).toBe('https://verify.example/kyc/account/sso/other/callback');
  });

  it('may replace its keys at any time', async () => {
    const genuine: AnswerToken = ({ sign, claims }) => sign(claims);
    expect(await answerWith(genuine)).toBe('verified');
    await provider.rotate();
    expect(await answerWith(genuine)).toBe('verified');
  });

  it.each<[name: string, answer: { status: number; body: string }]>([
    ['fails', { status: 502, body: 'bad gateway' }],
    ['answers with a page', { status: 200, body: '<html>It works</html>' }],
    ['answers with the description of another issuer', { status: 200, body: '{"issuer":"https://evil.example"}' }],
    ['redirects', { status: 302, body: '' }],
    ['answers without end', { status: 200, body: `{"issuer":"${'x'.repeat(1_100_000)}"}` }],
  ])('that %s is unavailable, before and after the user is there', async (_, broken) => {
    const state = await begin();
    provider.breakWith(broken);
    expect(await answer({ code: 'code', state })).toBe('unavailable');
    const fresh = await givenAccounts(await databases.emptied(), {
      singleSignOn: { providers: [settingsOf('acme', provider)], passwordsOff: [], allowsLoopback: true },
    });
    const begun = await fresh.accounts.singleSignOn?.begin(browser.visitor, {
      providerId: 'acme',
      purpose: { kind: 'sign_in' },
      returnTo: null,
    });
    expect(begun?.outcome).toBe('unavailable');
    await fresh.accounts.close();
  });

  const bearer = { access_token: 'access', token_type: 'Bearer' };
  it.each<[what: string, body: unknown]>([
    ['nothing', {}],
    ['a list', []],
    ['a text', 'It works'],
    ['no ID token', bearer],
    ['an ID token that is a number', { ...bearer, id_token: 7 }],
    ['an ID token that is no JWT', { ...bearer, id_token: 'nonsense' }],
    ['an ID token without a header', { ...bearer, id_token: 'e30.e30' }],
    ['an ID token whose header is not JSON', { ...bearer, id_token: 'bm9uc2Vuc2U.e30.e30' }],
    ['an ID token whose claims are a list', { ...bearer, id_token: 'eyJhbGciOiJSUzI1NiJ9.W10.e30' }],
  ])('that answers a code with %s has failed, and refuses no one', async (_, body) => {
    provider.answer(async () => ({ body }));
    const state = await begin();
    const query = new URLSearchParams({ code: 'code', state }).toString();
    expect(await sso().finish(browser.visitor, { providerId: 'acme', query })).toMatchObject({
      outcome: 'unavailable',
      reason: 'invalid_answer',
    });
  });

  it('that does not answer says so', async () => {
    const state = await begin();
    provider.breakWith({ status: 503, body: '' });
    const query = new URLSearchParams({ code: 'code', state }).toString();
    expect(await sso().finish(browser.visitor, { providerId: 'acme', query })).toMatchObject({
      outcome: 'unavailable',
      reason: 'no_answer',
    });
  });

  it('that does not know this service is unavailable, so that the log says why', async () => {
    const refuse: AnswerToken = async () => ({ body: { error: 'invalid_client' }, status: 401 });
    expect(await answerWith(refuse)).toBe('unavailable');
  });

  it('without encryption is not asked', async () => {
    const strict = await givenAccounts(await databases.emptied(), {
      singleSignOn: { providers: [settingsOf('acme', provider)], passwordsOff: [], allowsLoopback: false },
    });
    const begun = await strict.accounts.singleSignOn?.begin(browser.visitor, {
      providerId: 'acme',
      purpose: { kind: 'sign_in' },
      returnTo: null,
    });
    expect(begun?.outcome).toBe('unavailable');
    await strict.accounts.close();
  });
});
