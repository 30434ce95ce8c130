import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';

/** A user of the identity provider, as its claims describe them. */
export interface ProviderUser {
  readonly email: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  /** How the provider checks the user at each sign-in. */
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** A running identity provider: `oidc-provider`, with a page on which a user signs in by name alone. */
export interface TestIdentityProvider {
  readonly issuer: string;
  /** Adds or changes the user who signs in with this name. */
  set(login: string, user: ProviderUser): void;
  close(): Promise<void>;
}

export const PROVIDER_CLIENT = { clientId: 'countersign', clientSecret: 'a secret of the client' } as const;

/** @param redirectUris the addresses that the provider sends users to */
export async function startIdentityProvider(redirectUris: () => string[]): Promise<TestIdentityProvider> {
  const users = new Map<string, ProviderUser>();
  let provider: Provider | undefined;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;

  async function create(): Promise<Provider> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'key-1' };
    const configuration: Configuration = {
      clients: [
        {
          client_id: PROVIDER_CLIENT.clientId,
          client_secret: PROVIDER_CLIENT.clientSecret,
          redirect_uris: redirectUris(),
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['a key for cookies'] },
      acrValues: ['mfa'],
      claims: { openid: ['sub', 'acr', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      async findAccount(_, id) {
        const user = users.get(id);
        if (user === undefined) return undefined;
        const { email, emailVerified = true, name = id, groups = [] } = user;
        const claims = { sub: id, email, email_verified: emailVerified, name, groups };
        return { accountId: id, claims: async () => claims };
      },
      // Users have agreed before.
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    };
    return new Provider(issuer, configuration);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    provider ??= await create();
    if (request.url?.startsWith('/interaction/') !== true) {
      await provider.callback()(request, response);
      return;
    }
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>
        <form method="post"><label>Login <input name="login"></label><button>Continue</button></form></main>`);
      return;
    }
    const login = (await formOf(request)).get('login') ?? '';
    const { acr, amr } = users.get(login) ?? {};
    const checked = { ...(acr !== undefined && { acr }), ...(amr !== undefined && { amr: [...amr] }) };
    await provider.interactionFinished(request, response, { login: { accountId: login, ...checked } });
  }

  return {
    issuer,
    set: (login, user) => void users.set(login, user),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
