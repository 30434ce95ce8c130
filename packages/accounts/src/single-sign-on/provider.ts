import { hash } from 'node:crypto';
import type { SignOnCheck, VerifiedIdentity } from '@countersign/domain/staff';
import type * as oidc from 'openid-client';
import { createGuardedFetch, hasFault, ProviderFault } from './guarded-fetch.ts';
import { type Claims, identityOf, mergedClaims } from './identity.ts';
import { isInsecure, readMetadata } from './metadata.ts';
import type { ProviderSettings } from './settings.ts';
import { REQUEST_SECONDS, type SignOnRequest } from './sign-on-request.ts';

/** How long a provider's discovery document is cached. Its keys are read at each sign-in, so it can replace them at any time. */
const METADATA_MS = 10 * 60 * 1_000;
/** How far the clocks of provider and server may differ. */
const SKEW_SECONDS = 30;

/** The provider refused the code, or its token is invalid. */
export class AnswerRefused extends Error {
  override readonly name = 'AnswerRefused';
  readonly check: SignOnCheck;
  /** What is wrong with an ID token, for the log: `ID_TOKEN_AUD`, `ID_TOKEN_SIGNATURE`, or a code of openid-client. */
  readonly code: string | undefined;
  constructor(
    check: SignOnCheck,
    { code, ...options }: { readonly code?: string; readonly cause?: unknown } = {},
  ) {
    super(check, options);
    this.check = check;
    this.code = code;
  }
}

/** One identity provider. Its methods reject with a fault if the provider is down or its response is not OpenID Connect. */
export interface Provider {
  readonly settings: ProviderSettings;
  /** Returns the address at which the user signs in. */
  authorizationUrl(request: SignOnRequest, redirectUri: string): Promise<string>;
  /** Exchanges the code of an answer and checks its ID token. @throws AnswerRefused */
  verify(request: SignOnRequest, answer: URL): Promise<VerifiedIdentity>;
}

export function createProvider(
  settings: ProviderSettings,
  { allowsLoopback }: { readonly allowsLoopback: boolean },
): Provider {
  const { issuer, clientId, clientSecret, scopes, secondFactor } = settings;
  const guardedFetch = createGuardedFetch({ allowsLoopback });
  let known: { readonly metadata: oidc.ServerMetadata; readonly readAt: number } | undefined;

  /** Makes a configuration for one sign-in: a configuration keeps the keys that it has read. */
  async function configure(): Promise<{ client: typeof oidc; config: oidc.Configuration }> {
    const client = await import('openid-client');
    if (known === undefined || Date.now() - known.readAt > METADATA_MS) {
      const found = await readMetadata(settings, { allowsLoopback, guardedFetch });
      known = { metadata: found, readAt: Date.now() };
    }
    const metadata = { ...known.metadata };
    const config = new client.Configuration(
      metadata,
      clientId,
      { [client.clockTolerance]: SKEW_SECONDS },
      authenticationFor(client, metadata),
    );
    config[client.customFetch] = guardedFetch;
    if (isInsecure(issuer, allowsLoopback)) client.allowInsecureRequests(config);
    // Checks signatures of ID tokens that came straight from the provider, too.
    client.enableNonRepudiationChecks(config);
    return { client, config };
  }

  function authenticationFor(client: typeof oidc, metadata: oidc.ServerMetadata): oidc.ClientAuth {
    if (clientSecret === null) return client.None();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
  }

  return {
    settings,

    async authorizationUrl(request, redirectUri) {
      const { client, config } = await configure();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state: request.state,
        nonce: request.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
        ...(secondFactor.acr.length > 0 && { acr_values: secondFactor.acr.join(' ') }),
        ...(needsFreshSignIn(request) && { prompt: 'login', max_age: '0' }),
      });
      const isSafe = url.protocol === 'https:' || isInsecure(issuer, allowsLoopback);
      if (!isSafe) throw new ProviderFault(`the authorization endpoint of ${issuer} is not https`);
      return url.href;
    },

    async verify(request, answer) {
      const { client, config } = await configure();
      const isFresh = needsFreshSignIn(request);
      try {
        const tokens = await client.authorizationCodeGrant(config, answer, {
          expectedState: request.state,
          expectedNonce: request.nonce,
          pkceCodeVerifier: request.verifier,
          idTokenExpected: true,
          ...(isFresh && { maxAge: REQUEST_SECONDS }),
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new AnswerRefused('token', { code: 'ID_TOKEN_MISSING' });
        const isFuture = claims.iat > Date.now() / 1_000 + SKEW_SECONDS;
        if (isFuture) throw new AnswerRefused('token', { code: codeOfClaim('iat') });
        if (!matchesAccessToken(tokens.id_token ?? '', claims, tokens.access_token)) {
          throw new AnswerRefused('token', { code: codeOfClaim('at_hash') });
        }
        // The user entered their credentials for this request, not for an earlier sign-in.
        if (isFresh && (claims.auth_time ?? 0) < request.begunAt / 1_000 - SKEW_SECONDS) {
          throw new AnswerRefused('token', { code: codeOfClaim('auth_time') });
        }
        const more = await userInfo(client, config, tokens.access_token, claims);
        return identityOf(claims.iss, claims.sub, mergedClaims(claims, more));
      } catch (error) {
        throw refusalOf(client, error);
      }
    },
  };

  /** Reads claims that the ID token lacks, from the provider's user info. */
  async function userInfo(
    client: typeof oidc,
    config: oidc.Configuration,
    accessToken: string,
    claims: oidc.IDToken,
  ): Promise<Claims> {
    const needed = ['email', 'name', ...settings.rules.map(({ claim }) => claim)];
    const lacks = needed.some((claim) => !Object.hasOwn(claims, claim));
    if (!lacks || config.serverMetadata().userinfo_endpoint === undefined) return {};
    return client.fetchUserInfo(config, accessToken, claims.sub);
  }
}

/**
 * Whether the user must enter their credentials at the provider, although they have a session there. A user who is sent there by
 * another site could otherwise confirm or connect what that site chose.
 */
function needsFreshSignIn({ purpose }: SignOnRequest): boolean {
  return purpose.kind === 'confirm' || purpose.kind === 'connect';
}

/** Codes of openid-client for a response that is not OpenID Connect. */
const NONSENSE = ['OAUTH_PARSE_ERROR', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM'];
/** Error codes of the token endpoint that mean a wrong registration of this service. */
const MISCONFIGURED = ['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_request'];

/** Distinguishes a refusal, which the visitor causes, from a fault of the provider or its settings. */
function refusalOf(client: typeof oidc, error: unknown): unknown {
  if (error instanceof AnswerRefused || hasFault(error)) return error;
  if (error instanceof client.AuthorizationResponseError) {
    return new AnswerRefused('provider_error', { cause: error });
  }
  if (error instanceof client.ResponseBodyError) {
    return MISCONFIGURED.includes(error.error) ? error : new AnswerRefused('code', { cause: error });
  }
  return isNonsense(error) ? error : new AnswerRefused('token', { code: codeOfToken(error), cause: error });
}

function codeOfClaim(claim: string): string {
  return `ID_TOKEN_${claim.toUpperCase()}`;
}

/** Names what openid-client found wrong with an ID token. Its messages quote claims, so they do not get into the log. */
function codeOfToken(error: unknown): string {
  if (!(error instanceof Error)) return 'ID_TOKEN_INVALID';
  // openid-client wraps the error of the check, whose cause names the claim.
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.message === 'JWT signature verification failed') return 'ID_TOKEN_SIGNATURE';
    const { cause } = at;
    const claim = typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : undefined;
    if (typeof claim === 'string') return codeOfClaim(claim);
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : 'ID_TOKEN_INVALID';
}

/** Returns whether the provider's response cannot be parsed. The visitor sends none of it, so it says nothing about them. */
function isNonsense(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (error.code !== 'OAUTH_INVALID_RESPONSE') return NONSENSE.includes(String(error.code));
  // Its cause is the check that failed: of a body without the required members, or of a text that is no JWT.
  const about: unknown = error.cause instanceof Error ? error.cause.cause : undefined;
  return typeof about === 'string' || (typeof about === 'object' && about !== null && 'body' in about);
}

/** Returns whether `at_hash`, if the token has one, is that of the access token (OpenID Connect Core, section 3.1.3.6). */
function matchesAccessToken(idToken: string, claims: oidc.IDToken, accessToken: string): boolean {
  if (claims.at_hash === undefined) return true;
  const header = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString()) as { alg?: string };
  const bits = /(256|384|512)$/.exec(header.alg ?? '')?.[1] ?? '512';
  const digest = hash(`sha${bits}`, accessToken, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url') === claims.at_hash;
}
