import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ForgingProvider, startForgingProvider } from '../../test-support/forging-provider.ts';
import { providerSettings } from '../../test-support/provider-settings.ts';
import { examineProviders } from './examine-providers.ts';

let provider: ForgingProvider;
beforeEach(async () => {
  provider = await startForgingProvider(() => '');
});
afterEach(() => provider.close());

async function examine(issuer = provider.issuer) {
  const settings = providerSettings({ id: 'acme', name: 'Acme', issuer });
  const [examined] = await examineProviders({ providers: [settings], allowsLoopback: true });
  return examined;
}

const described = (more: object) => ({
  status: 200,
  body: JSON.stringify({ issuer: provider.issuer, ...more }),
});

it('a provider that lists no PKCE has no problem, and one that lists S256 offers it', async () => {
  expect(await examine()).toEqual({
    id: 'acme',
    name: 'Acme',
    issuer: provider.issuer,
    problem: null,
    offersPkce: null,
  });
  provider.breakWith(described({ code_challenge_methods_supported: ['plain', 'S256'] }));
  expect(await examine()).toMatchObject({ problem: null, offersPkce: true });
});

it('names what is wrong', async () => {
  provider.breakWith(described({ code_challenge_methods_supported: ['plain'] }));
  expect(await examine()).toMatchObject({ problem: 'no_pkce', offersPkce: false });
  provider.breakWith(described({ issuer: 'https://evil.example' }));
  expect(await examine()).toMatchObject({ problem: 'other_issuer' });
  // The same address, but ID tokens have the issuer without the slash.
  provider.breakWith(described({}));
  expect(await examine(`${provider.issuer}/`)).toMatchObject({ problem: 'other_issuer' });
  provider.breakWith({ status: 200, body: '<html>It works</html>' });
  expect(await examine()).toMatchObject({ problem: 'invalid_answer' });
  provider.breakWith({ status: 502, body: '' });
  expect(await examine()).toMatchObject({ problem: 'no_answer' });
});
