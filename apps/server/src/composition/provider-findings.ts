import {
  type ExaminedProvider,
  examineProviders,
  type ProviderProblem,
  type SingleSignOnOptions,
} from '@countersign/accounts';
import { type Findings, NOTHING } from '../database/findings.ts';

/** What is wrong, by problem, and what to do. */
const PROBLEMS: Readonly<Record<ProviderProblem, string>> = {
  no_answer: 'does not answer: check the issuer in SSO_PROVIDERS_FILE, and the firewall',
  invalid_answer: 'does not describe itself as an identity provider: check the issuer in SSO_PROVIDERS_FILE',
  other_issuer:
    'describes another issuer: set the issuer in SSO_PROVIDERS_FILE exactly as the provider describes it',
  no_pkce: 'offers no PKCE with S256: switch it on at the provider',
};

/** Reads the description of each identity provider, as a sign-in does. Null facts without providers. */
export async function examineSingleSignOn(
  options: SingleSignOnOptions | undefined,
): Promise<Findings<readonly ExaminedProvider[] | null>> {
  if (options === undefined) return NOTHING;
  const facts = await examineProviders(options);
  const healthy = facts.filter(({ problem }) => problem === null);
  return {
    facts,
    lines: healthy.map(({ id, issuer, offersPkce }) => {
      const pkce = offersPkce === null ? 'does not say whether it offers PKCE with S256' : 'offers PKCE with S256';
      return `Identity provider ${id} (${issuer}) answers and ${pkce}`;
    }),
    problems: facts.flatMap(({ id, issuer, problem }) =>
      problem === null ? [] : [`Identity provider ${id} (${issuer}) ${PROBLEMS[problem]}`],
    ),
  };
}
