import type { CustomFetch, ServerMetadata } from 'openid-client';
import type { ProviderSettings } from './settings.ts';

/**
 * Reads a provider's description of itself (OpenID Connect Discovery).
 * @throws Error if the provider is down, or describes another issuer
 */
export async function readMetadata(
  { issuer, clientId }: Pick<ProviderSettings, 'issuer' | 'clientId'>,
  { allowsLoopback, guardedFetch }: { readonly allowsLoopback: boolean; readonly guardedFetch: CustomFetch },
): Promise<ServerMetadata> {
  const client = await import('openid-client');
  const found = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    [client.customFetch]: guardedFetch,
    execute: isInsecure(issuer, allowsLoopback) ? [client.allowInsecureRequests] : [],
  });
  return { ...found.serverMetadata() };
}

/** Whether requests to a provider are not encrypted, which is allowed on this machine in development. */
export function isInsecure(issuer: string, allowsLoopback: boolean): boolean {
  return allowsLoopback && issuer.startsWith('http://');
}
