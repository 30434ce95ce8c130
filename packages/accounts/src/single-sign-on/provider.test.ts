import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import { providerSettings } from '../../test-support/provider-settings.ts';
import { createProvider } from './provider.ts';
import type { ProviderSettings } from './settings.ts';
import type { SignOnRequest } from './sign-on-request.ts';

const ISSUER = 'https://login.example';
const REDIRECT_URI = 'https://verify.example/account/sso/acme/callback';
const NOW = Date.UTC(2026, 2, 1, 12);
const SECONDS = NOW / 1_000;
const MINUTES = 60_000;

const SETTINGS = providerSettings({ id: 'acme', name: 'Acme', issuer: ISSUER });

const SIGN_IN: SignOnRequest = {
  providerId: 'acme',
  state: 'state',
  nonce: 'nonce',
  verifier: 'v'.repeat(43),
  purpose: { kind: 'sign_in' },
  returnTo: '/review',
  begunAt: NOW,
};
const CONFIRM: SignOnRequest = { ...SIGN_IN, purpose: { kind: 'confirm' } };
const CONNECT: SignOnRequest = { ...SIGN_IN, purpose: { kind: 'connect', userId: 'ann' } };

interface Given {
  readonly settings?: Partial<ProviderSettings>;
  readonly allowsLoopback?: boolean;
  /** The algorithm of ID tokens. */
  readonly alg?: string;
  /** What differs in the provider's description, its key, its ID tokens and its user info. */
  readonly metadata?: object;
  readonly jwk?: object;
  readonly claims?: JWTPayload;
  readonly userInfo?: object;
}

/** A provider whose requests a function answers at a fixed time. It signs genuine ID tokens. */
function givenProvider({
  settings = {},
  allowsLoopback = false,
  alg = 'ES256',
  metadata = {},
  jwk = {},
  claims = {},
  userInfo = {},
}: Given = {}) {
  const clock = { now: NOW };
  const requests: { path: string; authorization: string | null; body: URLSearchParams }[] = [];
  const keys = generateKeyPair(alg, { extractable: true });

  async function answer(path: string): Promise<object> {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/auth`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/jwks`,
          id_token_signing_alg_values_supported: [alg],
          ...metadata,
        };
      case '/jwks':
        return { keys: [{ ...(await exportJWK((await keys).publicKey)), ...jwk }] };
      case '/userinfo':
        return { sub: 'ann', ...userInfo };
      default: {
        const { nonce } = SIGN_IN;
        const times = { iat: SECONDS, exp: SECONDS + 300 };
        const user = { sub: 'ann', email: 'ann@example.com', name: 'Ann' };
        const token = new SignJWT({ iss: ISSUER, aud: 'countersign', nonce, ...times, ...user, ...claims });
        const signed = await token.setProtectedHeader({ alg }).sign((await keys).privateKey);
        return { access_token: 'access', token_type: 'Bearer', id_token: signed };
      }
    }
  }

  vi.spyOn(Date, 'now').mockImplementation(() => clock.now);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...sent) => {
    const request = new Request(...sent);
    const path = new URL(request.url).pathname;
    const authorization = request.headers.get('authorization');
    requests.push({ path, authorization, body: new URLSearchParams(await request.text()) });
    return Response.json(await answer(path));
  });

  const provider = createProvider({ ...SETTINGS, ...settings }, { allowsLoopback });
  return {
    clock,
    /** Requests that the provider received at an address. */
    received: (path: string) => requests.filter((request) => request.path === path),
    /** Parameters of the address at which the user signs in. */
    parameters: async (request = SIGN_IN) =>
      new URL(await provider.authorizationUrl(request, REDIRECT_URI)).searchParams,
    verify: (request = SIGN_IN, query = 'code=code&state=state') =>
      provider.verify(request, new URL(`${REDIRECT_URI}?${query}`)),
  };
}

/** The refusal of an ID token, with what is wrong with it. */
const refused = (code: string) => ({ name: 'AnswerRefused', check: 'token', code });

it.each([false, true])(
  'a provider whose users would sign in at an unencrypted address is refused (loopback allowed: %s)',
  async (allowsLoopback) => {
    const metadata = { authorization_endpoint: 'http://login.example/auth' };
    await expect(givenProvider({ allowsLoopback, metadata }).parameters()).rejects.toThrow(
      'only requests to HTTPS are allowed',
    );
  },
);

it("a provider's description is read again after ten minutes", async () => {
  const { clock, received, parameters } = givenProvider();
  const readings = () => received('/.well-known/openid-configuration').length;
  await parameters();
  clock.now += 10 * MINUTES;
  await parameters();
  expect(readings()).toBe(1);
  clock.now += 1;
  await parameters();
  await parameters();
  expect(readings()).toBe(2);
});

const BASIC = `Basic ${Buffer.from('countersign:secret').toString('base64')}`;

it.each<[clientSecret: string | null, methods: string[] | undefined, ...sent: (string | null)[]]>([
  [null, undefined, null, null],
  ['secret', undefined, BASIC, null],
  ['secret', ['client_secret_post', 'client_secret_basic'], BASIC, null],
  ['secret', ['client_secret_post'], null, 'secret'],
])('the token endpoint gets the client secret %s by the method that it offers (%j)', async (...row) => {
  const [clientSecret, methods, authorization, clientSecretInBody] = row;
  const { received, verify } = givenProvider({
    settings: { clientSecret },
    metadata: { token_endpoint_auth_methods_supported: methods },
  });
  await verify();
  const [exchange] = received('/token');
  expect(exchange?.authorization).toBe(authorization);
  expect(exchange?.body.get('client_secret')).toBe(clientSecretInBody);
  expect(exchange?.body.get('code_verifier')).toBe(SIGN_IN.verifier);
});

it('a provider is asked for the authentication that counts as a second factor', async () => {
  const acr = ['mfa', 'phishing-resistant'];
  const asked = await givenProvider({ settings: { secondFactor: { acr, amr: [] } } }).parameters();
  expect(asked.get('acr_values')).toBe('mfa phishing-resistant');
  expect((await givenProvider().parameters()).has('acr_values')).toBe(false);
});

it.each([
  [SIGN_IN, null, null],
  [CONFIRM, 'login', '0'],
  [CONNECT, 'login', '0'],
])(
  'a provider is asked for a fresh sign-in only to confirm and to connect: $purpose.kind',
  async (request, ...asked) => {
    const parameters = await givenProvider().parameters(request);
    expect([parameters.get('prompt'), parameters.get('max_age')]).toEqual(asked);
  },
);

it('an ID token is issued at most half a minute in the future', async () => {
  await expect(givenProvider({ claims: { iat: SECONDS + 30 } }).verify()).resolves.toMatchObject({
    subject: 'ann',
  });
  await expect(givenProvider({ claims: { iat: SECONDS + 31 } }).verify()).rejects.toMatchObject(
    refused('ID_TOKEN_IAT'),
  );
});

it.each([
  ['at most half a minute before the request', CONFIRM, 30],
  ['at most ten and a half minutes before the answer', { ...CONFIRM, begunAt: 0 }, 630],
])('a confirmation needs a sign-in %s', async (_, request, age) => {
  const verify = (auth_time: number, given: SignOnRequest) =>
    givenProvider({ claims: { auth_time } }).verify(given);
  await expect(verify(SECONDS - age, request)).resolves.toMatchObject({ subject: 'ann' });
  await expect(verify(SECONDS - age - 1, request)).rejects.toMatchObject(refused('ID_TOKEN_AUTH_TIME'));
  await expect(verify(SECONDS - age - 1, { ...request, purpose: { kind: 'sign_in' } })).resolves.toMatchObject({
    subject: 'ann',
  });
});

const GROUPS = {
  settings: { rules: [{ claim: 'groups', value: 'reviewers', role: 'reviewer' }] },
  userInfo: { name: 'Ann Reviewer', groups: ['reviewers'] },
} as const;
const USER_INFO = { userinfo_endpoint: `${ISSUER}/userinfo` };

it('user info is read for a claim of a rule that the ID token lacks', async () => {
  const { received, verify } = givenProvider({ ...GROUPS, metadata: USER_INFO });
  expect(await verify()).toMatchObject({ name: 'Ann', claims: { groups: ['reviewers'] } });
  expect(received('/userinfo')).toMatchObject([{ authorization: 'Bearer access' }]);
});

it('user info is not read if the ID token has all claims, or if the provider offers none', async () => {
  const complete = givenProvider({ ...GROUPS, metadata: USER_INFO, claims: { groups: [] } });
  expect(await complete.verify()).toMatchObject({ claims: { groups: [] } });
  const without = givenProvider(GROUPS);
  expect((await without.verify()).claims).not.toHaveProperty('groups');
  expect([...complete.received('/userinfo'), ...without.received('/userinfo')]).toEqual([]);
});

// The left half of the digest of `access`: of SHA-256, SHA-384 and SHA-512.
const [SHA_256, SHA_384, SHA_512] = [
  'oFYf1knNtrqnhAVfBRuteQ',
  'SeGOaEgS6QNKbB7vkLM3y8nujeY4Ple3',
  'kyd4-h3ZoV2sH212kLKbcOnCBajStKQ38Ae_bfT-PFI',
];

it.each([
  ['ES256', SHA_256],
  ['ES384', SHA_384],
  ['ES512', SHA_512],
  ['Ed25519', SHA_512],
])('an ID token signed with %s has the hash of its access token', async (alg, at_hash) => {
  await expect(givenProvider({ alg, claims: { at_hash } }).verify()).resolves.toMatchObject({ subject: 'ann' });
  const other = at_hash === SHA_256 ? SHA_512 : SHA_256;
  await expect(givenProvider({ alg, claims: { at_hash: other } }).verify()).rejects.toMatchObject(
    refused('ID_TOKEN_AT_HASH'),
  );
});

it.each([
  ['has no point', { x: undefined }],
  ['has operations that are no list', { key_ops: 7 }],
])('an ID token is refused if the key that would check it %s', async (_, jwk) => {
  await expect(givenProvider({ jwk }).verify()).rejects.toMatchObject(refused('ID_TOKEN_INVALID'));
});

it('an answer without a code is refused', async () => {
  const { received, verify } = givenProvider();
  await expect(verify(SIGN_IN, 'state=state')).rejects.toMatchObject(refused('OAUTH_INVALID_RESPONSE'));
  expect(received('/token')).toEqual([]);
});
