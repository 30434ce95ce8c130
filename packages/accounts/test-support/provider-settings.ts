import type { ProviderSettings } from '../src/single-sign-on/settings.ts';
import { CLIENT_ID } from './forging-provider.ts';

/** Settings of a provider that admits invited users and trusts nothing, with these differences. */
export function providerSettings(
  settings: Pick<ProviderSettings, 'id' | 'issuer'> & Partial<ProviderSettings>,
): ProviderSettings {
  return {
    name: settings.id,
    clientId: CLIENT_ID,
    clientSecret: 'secret',
    scopes: ['openid'],
    users: 'invited',
    trustsEmail: false,
    rules: [],
    secondFactor: { acr: [], amr: [] },
    ...settings,
  };
}
