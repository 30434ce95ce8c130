import { expect, it, vi } from 'vitest';
import { createProvider } from './provider.ts';

const ISSUER = 'https://login.example';

it('a provider whose users would sign in at an unencrypted address is refused', async () => {
  const metadata = {
    issuer: ISSUER,
    authorization_endpoint: 'http://login.example/auth',
    token_endpoint: `${ISSUER}/token`,
  };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(metadata));
  const provider = createProvider(
    {
      id: 'acme',
      name: 'Acme',
      issuer: ISSUER,
      clientId: 'countersign',
      clientSecret: null,
      scopes: ['openid'],
      users: 'invited',
      trustsEmail: false,
      rules: [],
      secondFactor: { acr: [], amr: [] },
    },
    { allowsLoopback: false },
  );
  const request = {
    providerId: 'acme',
    state: 's',
    nonce: 'n',
    verifier: 'v'.repeat(43),
    purpose: { kind: 'sign_in' },
    returnTo: '/review',
    begunAt: 0,
  } as const;
  await expect(provider.authorizationUrl(request, 'https://verify.example/callback')).rejects.toThrow(
    'only requests to HTTPS are allowed',
  );
});
