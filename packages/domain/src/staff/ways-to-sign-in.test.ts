import { expect, it } from 'vitest';
import { canSignIn, type WaysToSignIn } from './ways-to-sign-in.ts';

const [ACME, OTHER] = ['https://acme.example', 'https://other.example'];
const connected = (issuer: string) => ({ issuer, isWithdrawn: false });
const withdrawn = (issuer: string) => ({ issuer, isWithdrawn: true });

it.each<[what: string, ways: WaysToSignIn, passwords: boolean, expected: boolean]>([
  ['a password alone', { hasPassword: true, identities: [] }, true, true],
  ['a password of a role without passwords', { hasPassword: true, identities: [] }, false, false],
  ['nothing', { hasPassword: false, identities: [] }, true, false],
  ['an identity alone', { hasPassword: false, identities: [connected(ACME)] }, false, true],
  [
    'an identity at a provider that is not set up',
    { hasPassword: false, identities: [connected(OTHER)] },
    true,
    false,
  ],
  ['a withdrawn identity', { hasPassword: false, identities: [withdrawn(ACME)] }, true, false],
  ['a password of a user without access', { hasPassword: true, identities: [withdrawn(ACME)] }, true, false],
  [
    'a password, and access at one of two providers',
    { hasPassword: true, identities: [withdrawn(ACME), connected(OTHER)] },
    true,
    true,
  ],
])('canSignIn: %s', (_, ways, passwords, expected) => {
  expect(canSignIn(ways, { passwords, issuers: [ACME] })).toBe(expected);
});
