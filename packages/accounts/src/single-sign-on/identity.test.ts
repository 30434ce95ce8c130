import { expect, it } from 'vitest';
import { identityOf } from './identity.ts';

const ISSUER = 'https://login.example';

it('an identity without claims has no address, no name and no authentication methods', () => {
  expect(identityOf(ISSUER, 'ann', {})).toEqual({
    issuer: ISSUER,
    subject: 'ann',
    email: null,
    emailVerified: false,
    name: null,
    acr: null,
    amr: [],
    claims: {},
  });
});

it.each([
  [true, true],
  ['true', true],
  ['false', false],
  ['yes', false],
  [1, false],
])('a provider that sends email_verified as %j: verified is %s', (email_verified, emailVerified) => {
  expect(identityOf(ISSUER, 'ann', { email: 'ann@example.com', email_verified })).toMatchObject({ emailVerified });
});

it('an identity has no claim that is empty or of another type than the standard says', () => {
  const claims = { email: '', name: '', preferred_username: 'ann', acr: 2, amr: ['pwd', 7, null, 'hwk'] };
  expect(identityOf(ISSUER, 'ann', claims)).toMatchObject({
    email: null,
    name: 'ann',
    acr: null,
    amr: ['pwd', 'hwk'],
  });
  expect(identityOf(ISSUER, 'ann', { email: ['ann@example.com'], amr: 'pwd' })).toMatchObject({
    email: null,
    amr: [],
  });
});
