import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** What the token endpoint knows when it answers. */
export interface Exchange {
  readonly issuer: string;
  readonly nonce: string;
  /** The claims of a genuine ID token. */
  readonly claims: JWTPayload;
  /** Signs as the provider does. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>;
  /** The public key, which everyone knows, as PEM. */
  readonly publicKey: string;
}

export type AnswerToken = (
  exchange: Exchange,
) => Promise<string | { readonly body: unknown; readonly status?: number }>;

/** An identity provider whose token endpoint answers as a test says. It accepts every code, also a second time. */
export interface ForgingProvider {
  readonly issuer: string;
  /** Codes that the token endpoint received. */
  readonly codes: readonly string[];
  /** The next answers of the token endpoint; default a genuine ID token. */
  answer(token: AnswerToken): void;
  /** Serves these claims as user info from now on, of the user `ann`. */
  userInfo(claims: JWTPayload): void;
  /** Replaces the keys. */
  rotate(): Promise<void>;
  /** Answers every request with this from now on; `null`: never. */
  breakWith(answer: { readonly status: number; readonly body: string } | null): void;
  close(): Promise<void>;
}

export const CLIENT_ID = 'countersign';

/** Makes the keys of a provider, one after the other. Providers of several tests may share them: a key takes a tenth of a second to make. */
export function providerKeys(): (number: number) => ReturnType<typeof generateKeys> {
  const made = new Map<number, ReturnType<typeof generateKeys>>();
  return (number) => {
    const keys = made.get(number) ?? generateKeys(`key-${number}`);
    made.set(number, keys);
    return keys;
  };
}

/** @param nonceOf returns the nonce of the sign-in that a code belongs to */
export async function startForgingProvider(
  nonceOf: () => string,
  keysAt: ReturnType<typeof providerKeys> = providerKeys(),
): Promise<ForgingProvider> {
  let made = 1;
  let keys = await keysAt(made);
  let token: AnswerToken = async ({ sign, claims }) => sign(claims);
  let broken: { readonly status: number; readonly body: string } | null | undefined;
  let info: JWTPayload | undefined;
  const codes: string[] = [];
  let issuer = '';

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (broken === null) return;
    if (broken !== undefined) {
      response.writeHead(broken.status, { 'Content-Type': 'text/html' }).end(broken.body);
      return;
    }
    switch (request.url) {
      case '/.well-known/openid-configuration':
        json({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          ...(info !== undefined && { userinfo_endpoint: `${issuer}/userinfo` }),
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
        });
        return;
      case '/userinfo':
        json({ sub: 'ann', ...info });
        return;
      case '/jwks':
        json({ keys: [keys.jwk] });
        return;
      default:
        json(...(await exchange(request)));
    }
  }

  async function exchange(request: IncomingMessage): Promise<[body: unknown, status?: number | undefined]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    codes.push(new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '');
    const now = Math.floor(Date.now() / 1_000);
    const nonce = nonceOf();
    const claims = {
      iss: issuer,
      aud: CLIENT_ID,
      sub: 'ann',
      nonce,
      iat: now,
      exp: now + 300,
      email: 'ann@example.com',
      name: 'Ann',
    };
    const sign: Exchange['sign'] = (payload, { alg = 'RS256', kid = keys.kid } = {}) =>
      new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(keys.privateKey);
    const given = await token({ issuer, nonce, claims, sign, publicKey: keys.publicPem });
    if (typeof given !== 'string') return [given.body, given.status];
    return [{ access_token: 'access', token_type: 'Bearer', id_token: given }];
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    codes,
    answer(given) {
      token = given;
    },
    userInfo(given) {
      info = given;
    },
    async rotate() {
      made += 1;
      keys = await keysAt(made);
    },
    breakWith(given) {
      broken = given;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function generateKeys(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return { kid, privateKey, jwk, publicPem: await exportSPKI(publicKey) };
}
