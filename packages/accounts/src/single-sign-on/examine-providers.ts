import type { ProviderName } from '@countersign/domain/staff';
import type { ServerMetadata } from 'openid-client';
import { createGuardedFetch, hasFault } from './guarded-fetch.ts';
import { readMetadata } from './metadata.ts';
import type { ProviderSettings, SingleSignOnOptions } from './settings.ts';

/**
 * Why users cannot sign in at a provider. `no_answer`: it is down or slow, or answers with an error. `invalid_answer`: its answer is no
 * description of an identity provider. `other_issuer`: it describes another issuer than the settings. `no_pkce`: it offers no PKCE with S256.
 */
export type ProviderProblem = 'no_answer' | 'invalid_answer' | 'other_issuer' | 'no_pkce';

/** What an examination finds about a provider. */
export interface ExaminedProvider extends ProviderName {
  readonly issuer: string;
  /** Null if users can sign in. */
  readonly problem: ProviderProblem | null;
  /** Whether the provider says that it offers PKCE with S256; null if it does not list what it offers. */
  readonly offersPkce: boolean | null;
}

/** Reads the description of each provider. Signs no one in, and sends no secret. */
export function examineProviders({
  providers,
  allowsLoopback,
}: Pick<SingleSignOnOptions, 'providers' | 'allowsLoopback'>): Promise<readonly ExaminedProvider[]> {
  const guardedFetch = createGuardedFetch({ allowsLoopback });
  return Promise.all(providers.map((settings) => examine(settings)));

  async function examine(settings: ProviderSettings): Promise<ExaminedProvider> {
    const { id, name, issuer } = settings;
    try {
      const metadata = await readMetadata(settings, { allowsLoopback, guardedFetch });
      const { code_challenge_methods_supported: methods } = metadata;
      const offersPkce = methods?.includes('S256') ?? null;
      return { id, name, issuer, problem: problemOf(metadata, issuer, offersPkce), offersPkce };
    } catch (error) {
      return { id, name, issuer, problem: problemIn(error), offersPkce: null };
    }
  }
}

/** Identities are stored with the issuer of the ID token, so a slash more or less is another issuer. */
function problemOf(metadata: ServerMetadata, issuer: string, offersPkce: boolean | null): ProviderProblem | null {
  if (metadata.issuer !== issuer) return 'other_issuer';
  return offersPkce === false ? 'no_pkce' : null;
}

function problemIn(error: unknown): ProviderProblem {
  if (hasFault(error)) return 'no_answer';
  const isOther =
    error instanceof Error && 'code' in error && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
  return isOther ? 'other_issuer' : 'invalid_answer';
}
