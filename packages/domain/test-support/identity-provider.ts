import type {
  ProviderPolicy,
  SignOnAnswer,
  SingleSignOn,
  VerifiedIdentity,
} from '../src/staff/identity-provider.ts';
import { portWith } from './port-with.ts';

/** A provider whose claims name operators. */
export const POLICY: ProviderPolicy = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://login.example',
  users: 'invited',
  trustsEmail: false,
  rules: [{ claim: 'groups', value: 'operators', role: 'operator' }],
  secondFactor: { acr: [], amr: [] },
};

/** The identity of an operator at that provider. */
const IDENTITY: VerifiedIdentity = {
  issuer: POLICY.issuer,
  subject: 'ola',
  email: null,
  emailVerified: false,
  name: 'Ola',
  acr: null,
  amr: [],
  claims: { groups: ['operators'] },
};

/** The provider's answer: the query with which the visitor comes back to the service. */
export const ANSWER = { providerId: POLICY.id, query: '?code=1' };

/** Makes an answer that was verified, for a sign-in. */
export function verified(change: Partial<Extract<SignOnAnswer, { outcome: 'verified' }>> = {}): SignOnAnswer {
  return {
    outcome: 'verified',
    identity: IDENTITY,
    purpose: { kind: 'sign_in' },
    returnTo: '/queue',
    setCookies: ['sign-on=; Max-Age=0'],
    ...change,
  };
}

/** The sign-in at that provider, with only these operations. */
export function singleSignOnWith(operations: Partial<SingleSignOn>): SingleSignOn {
  return portWith<SingleSignOn>({ policies: [POLICY], passwordsOff: [], ...operations });
}
