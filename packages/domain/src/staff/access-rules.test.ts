import { describe, expect, it } from 'vitest';
import { decideSignOn, hasTrustedFactor } from './access-rules.ts';
import type { ProviderPolicy, VerifiedIdentity } from './identity-provider.ts';
import { checkNewUser, USER_NAME_MAX } from './new-user.ts';
import type { User } from './user.ts';

const POLICY: ProviderPolicy = {
  issuer: 'https://login.example',
  id: 'acme',
  name: 'Acme',
  users: 'provisioned',
  trustsEmail: true,
  rules: [
    { claim: 'groups', value: 'reviewers', role: 'reviewer' },
    { claim: 'groups', value: 'operators', role: 'operator' },
    { claim: 'groups', value: 'agents', role: 'client', clientId: 'c1', teamRole: 'agent' },
    { claim: 'department', value: 'owners', role: 'client', clientId: 'c1' },
  ],
  secondFactor: { acr: ['mfa'], amr: ['hwk', 'otp'] },
};
const INVITED: ProviderPolicy = { ...POLICY, users: 'invited', rules: [] };

const REVIEWER: User = {
  id: 'rita',
  email: 'rita@example.com',
  name: 'Rita',
  role: 'reviewer',
  clientId: null,
  teamRole: null,
};
const AGENT: User = { ...REVIEWER, id: 'ann', role: 'client', clientId: 'c1', teamRole: 'agent' };
const NOBODY = { connected: null, byEmail: null };

function identity(
  claims: Readonly<Record<string, unknown>>,
  change: Partial<VerifiedIdentity> = {},
): VerifiedIdentity {
  return {
    issuer: 'https://login.example',
    subject: 'rita',
    email: 'Rita@Example.com',
    emailVerified: true,
    name: 'Rita\u202E\nReviewer',
    acr: null,
    amr: [],
    claims,
    ...change,
  };
}

describe('decideSignOn: a connected user', () => {
  it.each([
    ['keeps the role', REVIEWER, { groups: ['x', 'reviewers'] }, null],
    ['gets the role of the first rule that applies', REVIEWER, { groups: ['operators'] }, { role: 'operator' }],
    [
      'gets a role from a claim that is a text',
      AGENT,
      { department: 'owners' },
      { role: 'client', teamRole: 'owner' },
    ],
    ['keeps the role in a team', AGENT, { groups: 'agents' }, null],
  ])('%s', (_, connected, claims, change) => {
    const found = { connected, byEmail: null };
    expect(decideSignOn(POLICY, identity(claims), found)).toEqual({ outcome: 'enter', user: connected, change });
  });

  it.each([
    ['no claims', REVIEWER, {}],
    ['other values', REVIEWER, { groups: ['other', ['reviewers'], { reviewers: true }], department: 'reviewers' }],
    ['a role of another kind', REVIEWER, { groups: ['agents'] }],
    ['a role in the service, for staff of a client', AGENT, { groups: ['operators'] }],
    ['a role in the team of another client', { ...AGENT, clientId: 'c2' }, { groups: ['agents'] }],
  ])('loses access with %s', (_, connected, claims) => {
    const found = { connected, byEmail: REVIEWER };
    expect(decideSignOn(POLICY, identity(claims), found)).toEqual({ outcome: 'withdraw', user: connected });
  });

  it('loses access with a role in the service from a rule that names their client', () => {
    const rule = { claim: 'groups', value: 'agents', role: 'operator', clientId: 'c1' } as const;
    const decision = decideSignOn({ ...POLICY, rules: [rule] }, identity({ groups: 'agents' }), {
      connected: AGENT,
      byEmail: null,
    });
    expect(decision).toEqual({ outcome: 'withdraw', user: AGENT });
  });

  it('keeps the role of the invitation where there are no rules', () => {
    const found = { connected: AGENT, byEmail: null };
    expect(decideSignOn(INVITED, identity({}), found)).toEqual({ outcome: 'enter', user: AGENT, change: null });
  });
});

describe('decideSignOn: an unknown identity', () => {
  const reviewer = { groups: ['reviewers'] };

  it('connects to the user with its e-mail address only if it is verified and the operator trusts it', () => {
    const found = { connected: null, byEmail: REVIEWER };
    const connected = { outcome: 'connect', user: REVIEWER, change: null };
    const refused = { outcome: 'refuse', reason: 'no_account' };
    expect(decideSignOn(POLICY, identity(reviewer), found)).toEqual(connected);
    expect(decideSignOn(INVITED, identity({}), found)).toEqual(connected);
    expect(decideSignOn({ ...POLICY, trustsEmail: false }, identity(reviewer), found)).toEqual(refused);
    expect(decideSignOn(POLICY, identity(reviewer, { emailVerified: false }), found)).toEqual(refused);
    const other = identity({ groups: ['agents'] });
    expect(decideSignOn(POLICY, other, found)).toEqual({ outcome: 'refuse', reason: 'no_access' });
  });

  it('does not connect to a user whose own address no provider verified', () => {
    const found = { connected: null, byEmail: REVIEWER, isEmailUnverified: true };
    expect(decideSignOn(POLICY, identity(reviewer), found)).toEqual({ outcome: 'refuse', reason: 'no_account' });
    expect(decideSignOn(INVITED, identity({}), found)).toEqual({ outcome: 'refuse', reason: 'no_account' });
  });

  it('gets a user if a rule gives it a role and it has an e-mail address', () => {
    expect(decideSignOn(POLICY, identity(reviewer), NOBODY)).toEqual({
      outcome: 'provision',
      input: { email: 'rita@example.com', name: 'Rita  Reviewer', role: 'reviewer' },
      emailVerified: true,
    });
    expect(decideSignOn(POLICY, identity(reviewer, { emailVerified: false }), NOBODY)).toMatchObject({
      outcome: 'provision',
      emailVerified: false,
    });
    const none = { outcome: 'refuse', reason: 'no_account' };
    expect(decideSignOn(POLICY, identity(reviewer, { email: null }), NOBODY)).toEqual(none);
    expect(decideSignOn(INVITED, identity(reviewer), NOBODY)).toEqual(none);
    expect(decideSignOn({ ...POLICY, users: 'invited' }, identity(reviewer), NOBODY)).toEqual(none);
    expect(decideSignOn({ ...POLICY, rules: [] }, identity(reviewer), NOBODY)).toEqual(none);
    expect(decideSignOn(POLICY, identity({ groups: [] }), NOBODY)).toEqual({
      outcome: 'refuse',
      reason: 'no_access',
    });
  });

  it.each([
    ['=?utf-8?Q?Rita?=', '= ?utf-8?Q?Rita?='],
    ['\u202e\n', undefined],
    ['Rita', 'Rita'],
    ['R'.repeat(USER_NAME_MAX + 1), 'R'.repeat(USER_NAME_MAX)],
  ])('gets a user whom every storage takes: %j at the provider is named %j', (name, expected) => {
    const decision = decideSignOn(POLICY, identity(reviewer, { name }), NOBODY);
    if (decision.outcome !== 'provision') throw new Error(decision.outcome);
    expect(decision.input.name).toBe(expected);
    expect(checkNewUser(decision.input)).toMatchObject({ email: 'rita@example.com' });
  });

  it('reads own claims only', () => {
    const policy = { ...POLICY, rules: [{ claim: 'constructor', value: 'x', role: 'operator' as const }] };
    expect(decideSignOn(policy, identity({}), NOBODY)).toEqual({ outcome: 'refuse', reason: 'no_access' });
  });
});

describe('hasTrustedFactor', () => {
  it.each([
    [{ acr: 'mfa' }, true],
    [{ amr: ['pwd', 'otp'] }, true],
    [{ acr: 'hwk' }, false],
    [{ amr: ['mfa', 'pwd'] }, false],
    [{}, false],
  ])('%j: %s', (change, isTrusted) => {
    expect(hasTrustedFactor(POLICY, identity({}, change))).toBe(isTrusted);
    const none = { ...POLICY, secondFactor: { acr: [], amr: [] } };
    expect(hasTrustedFactor(none, identity({}, change))).toBe(false);
  });
});
